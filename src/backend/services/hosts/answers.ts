import { HoldfastError } from '#core/base/errors.ts';
import type { Redaction } from '#backend/redaction.ts';
import type { Answers, Question } from '#backend/remote/ssh/surroundings.ts';

interface AnswersParts {
  readonly redaction: Redaction;
  /** What a name stands for now: address, port, user, the way there. A name may come to mean another machine, which must not be told what this one was. */
  readonly machineOf: (host: string) => string;
  readonly resolveAsk?: ((label: string) => Promise<string>) | undefined;
}

/** What persons have answered to hosts: in memory only, and only as long as it is right and the host is the same machine. */
export class KnownAnswers {
  private readonly known = new Map<string, { readonly host: string; readonly value: string }>();
  private readonly parts: AnswersParts;

  constructor(parts: AnswersParts) {
    this.parts = parts;
  }

  keep(question: Question, value: string): void {
    this.parts.redaction.add(value);
    this.known.set(this.keyOf(question), { host: question.host, value });
  }

  /** A host shows another key, or is in the list no more: whoever is there now is asked afresh. */
  forgetWhere(isMeant: (host: string) => boolean): void {
    for (const [key, { host }] of this.known) if (isMeant(host)) this.known.delete(key);
  }

  /** For one attempt to connect. `cancelled` tells afterwards that the person did not want to answer. */
  forOneAttempt(): Answers & { readonly cancelled: HoldfastError | null } {
    let cancelled: HoldfastError | null = null;
    return {
      get cancelled() {
        return cancelled;
      },
      ask: async (question) => {
        const known = this.known.get(this.keyOf(question));
        if (known !== undefined) return known.value;
        const { resolveAsk } = this.parts;
        if (resolveAsk === undefined || cancelled !== null) return null;
        try {
          const value = await resolveAsk(`${question.host}: ${question.label}`);
          this.keep(question, value);
          return value;
        } catch (thrown) {
          if (thrown instanceof HoldfastError && thrown.code === 'CANCELLED') cancelled = thrown;
          return null;
        }
      },
      forget: (question) => void this.known.delete(this.keyOf(question)),
    };
  }

  private keyOf({ kind, host, label }: Question): string {
    return JSON.stringify([kind, host, label, this.parts.machineOf(host)]);
  }
}
