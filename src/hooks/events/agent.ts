import { defineHookEvent } from './define-hook-event.ts';

const sample = {
  event: 'agent',
  agentId: 't2',
  agentType: 'peer',
  name: 'second-opinion',
  model: 'local/large',
} as const;

/** Another model at work: it begins, is told something, and ends. */
export const agent = defineHookEvent<'agent'>({
  event: 'agent',
  group: 'agent',
  names: ['agent_spawn', 'agent_message', 'agent_complete', 'agent_error'],
  claudeNames: ['SubagentStart', 'SubagentStop'],
  when: 'another model is asked: it begins, gets a message, has answered, or could not answer',
  samples: [
    { ...sample, phase: 'spawn', text: '' },
    { ...sample, phase: 'message', text: 'Is this lock free of races?' },
    { ...sample, phase: 'complete', text: 'No: two writers can meet.' },
    { ...sample, phase: 'error', text: 'No answer within 300 seconds' },
  ],
  isAbout({ phase }, name) {
    if (name === 'SubagentStart') return phase === 'spawn';
    if (name === 'SubagentStop') return phase === 'complete' || phase === 'error';
    return name === `agent_${phase}`;
  },
  subjects: ({ agentType }) => [agentType],
  fields: ({ agentId, agentType, name, model, text }) => ({
    agent_id: agentId,
    agent_type: agentType,
    name,
    model,
    text,
  }),
  claudeFields: ({ phase, agentId, agentType, text }) => ({
    agent_id: agentId,
    agent_type: agentType,
    ...(phase === 'spawn' ? {} : { stop_hook_active: false, last_assistant_message: text }),
  }),
});
