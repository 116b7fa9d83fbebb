import type { PermissionAnswer, PermissionDecision, PermissionRequest } from '#protocol/permission.ts';
import type { QuestionAnswer, QuestionRequest } from '#protocol/question.ts';
import type { AskEnd, PermissionAsker } from './turn/permission-asker.ts';

type WaitingCall = { decide: () => PermissionDecision; end: (end: AskEnd) => void };

/**
 * Questions that wait for a person, by the id of the request. The first answer of any client counts; one that comes
 * too late finds nothing and changes nothing.
 */
export class Answers implements PermissionAsker {
  readonly #calls = new Map<string, WaitingCall>();
  readonly #questions = new Map<string, (answer: QuestionAnswer) => void>();

  wait(
    request: PermissionRequest,
    { signal, decide }: { signal: AbortSignal; decide: () => PermissionDecision },
  ): Promise<AskEnd> {
    return new Promise((resolve) => {
      const onAbort = () => end({ kind: 'aborted' });
      const end = (how: AskEnd) => {
        this.#calls.delete(request.id);
        signal.removeEventListener('abort', onAbort);
        resolve(how);
      };
      this.#calls.set(request.id, { decide, end });
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  /** null when the signal aborts. */
  waitForQuestion(request: QuestionRequest, { signal }: { signal: AbortSignal }): Promise<QuestionAnswer> {
    return new Promise((resolve) => {
      const onAbort = () => end(null);
      const end = (answer: QuestionAnswer) => {
        this.#questions.delete(request.id);
        signal.removeEventListener('abort', onAbort);
        resolve(answer);
      };
      this.#questions.set(request.id, end);
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  answerPermission(requestId: string, answer: PermissionAnswer): void {
    this.#calls.get(requestId)?.end({ kind: 'answered', answer });
  }

  answerQuestion(requestId: string, answer: QuestionAnswer): void {
    this.#questions.get(requestId)?.(answer);
  }

  decideAgain(): void {
    for (const { decide, end } of [...this.#calls.values()]) {
      const { decision } = decide();
      if (decision !== 'ask') end({ kind: 'decided', decision });
    }
  }
}
