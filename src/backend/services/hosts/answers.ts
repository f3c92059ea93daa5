import { HoldfastError } from '#core/errors.ts';
import type { Redaction } from '#backend/redaction.ts';
import type { Answers, Question } from '#backend/remote/ssh/questions.ts';

/** What persons have answered to hosts: in memory only, and only as long as it is right. */
export class KnownAnswers {
  private readonly known = new Map<string, string>();
  private readonly redaction: Redaction;
  private readonly resolveAsk: ((label: string) => Promise<string>) | undefined;

  constructor(redaction: Redaction, resolveAsk?: (label: string) => Promise<string>) {
    this.redaction = redaction;
    this.resolveAsk = resolveAsk;
  }

  keep(question: Question, value: string): void {
    this.redaction.add(value);
    this.known.set(keyOf(question), value);
  }

  /** For one attempt to connect. `cancelled` tells afterwards that the person did not want to answer. */
  forOneAttempt(): Answers & { readonly cancelled: HoldfastError | null } {
    let cancelled: HoldfastError | null = null;
    return {
      get cancelled() {
        return cancelled;
      },
      ask: async (question) => {
        const known = this.known.get(keyOf(question));
        if (known !== undefined) return known;
        if (this.resolveAsk === undefined || cancelled !== null) return null;
        try {
          const value = await this.resolveAsk(`${question.host}: ${question.label}`);
          this.keep(question, value);
          return value;
        } catch (thrown) {
          if (thrown instanceof HoldfastError && thrown.code === 'CANCELLED') cancelled = thrown;
          return null;
        }
      },
      forget: (question) => void this.known.delete(keyOf(question)),
    };
  }
}

function keyOf({ kind, host, label }: Question): string {
  return JSON.stringify([kind, host, label]);
}
