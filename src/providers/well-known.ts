import type { ProviderType } from './settings.ts';

/** A vendor that needs no more than a key in the environment. No model names here. */
export type WellKnown = {
  id: string;
  type: ProviderType;
  keyEnv: string;
  baseUrlEnv: string;
  baseUrl: string;
};

export const wellKnown: readonly WellKnown[] = [
  {
    id: 'anthropic',
    type: 'anthropic',
    keyEnv: 'ANTHROPIC_API_KEY',
    baseUrlEnv: 'ANTHROPIC_BASE_URL',
    baseUrl: 'https://api.anthropic.com/v1',
  },
  {
    id: 'openai',
    type: 'openai',
    keyEnv: 'OPENAI_API_KEY',
    baseUrlEnv: 'OPENAI_BASE_URL',
    baseUrl: 'https://api.openai.com/v1',
  },
  {
    id: 'google',
    type: 'google',
    keyEnv: 'GEMINI_API_KEY',
    baseUrlEnv: 'GEMINI_BASE_URL',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  },
  {
    id: 'openrouter',
    type: 'openai-compatible',
    keyEnv: 'OPENROUTER_API_KEY',
    baseUrlEnv: 'OPENROUTER_BASE_URL',
    baseUrl: 'https://openrouter.ai/api/v1',
  },
  {
    id: 'deepseek',
    type: 'openai-compatible',
    keyEnv: 'DEEPSEEK_API_KEY',
    baseUrlEnv: 'DEEPSEEK_BASE_URL',
    baseUrl: 'https://api.deepseek.com/v1',
  },
  {
    id: 'xai',
    type: 'openai-compatible',
    keyEnv: 'XAI_API_KEY',
    baseUrlEnv: 'XAI_BASE_URL',
    baseUrl: 'https://api.x.ai/v1',
  },
  {
    id: 'groq',
    type: 'openai-compatible',
    keyEnv: 'GROQ_API_KEY',
    baseUrlEnv: 'GROQ_BASE_URL',
    baseUrl: 'https://api.groq.com/openai/v1',
  },
  {
    id: 'mistral',
    type: 'openai-compatible',
    keyEnv: 'MISTRAL_API_KEY',
    baseUrlEnv: 'MISTRAL_BASE_URL',
    baseUrl: 'https://api.mistral.ai/v1',
  },
];

/** Programs that serve models on a person's own machine. */
export type LocalServer = {
  id: 'ollama' | 'lmstudio' | 'vllm' | 'llamacpp';
  name: string;
  type: ProviderType;
  port: number;
  startCommand: string;
};

export const localServers: readonly LocalServer[] = [
  { id: 'ollama', name: 'Ollama', type: 'ollama', port: 11_434, startCommand: 'ollama serve' },
  {
    id: 'lmstudio',
    name: 'LM Studio',
    type: 'openai-compatible',
    port: 1_234,
    startCommand: 'lms server start',
  },
  { id: 'vllm', name: 'vLLM', type: 'openai-compatible', port: 8_000, startCommand: 'vllm serve' },
  { id: 'llamacpp', name: 'llama.cpp', type: 'openai-compatible', port: 8_080, startCommand: 'llama-server' },
];
