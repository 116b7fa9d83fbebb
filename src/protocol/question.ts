import { z } from 'zod';

/** A question of the model to the person: choices, free text, or both. */
export const questionSchema = z.object({
  question: z.string(),
  header: z.string().optional(),
  options: z.array(z.object({ label: z.string(), description: z.string().optional() })),
  multiSelect: z.boolean(),
});
export type Question = z.infer<typeof questionSchema>;

export const questionRequestSchema = z.object({
  id: z.string(),
  callId: z.string(),
  questions: z.array(questionSchema).min(1),
});
export type QuestionRequest = z.infer<typeof questionRequestSchema>;

/** One answer per question, in order; null when the person would not answer at all. */
export const questionAnswerSchema = z.array(z.array(z.string())).nullable();
export type QuestionAnswer = z.infer<typeof questionAnswerSchema>;
