import { HoldfastError } from '#core/base/errors.ts';
import type { Redaction } from '#backend/redaction.ts';
import type { Answers, Question } from '#backend/remote/ssh/surroundings.ts';

interface AnswersParts {
  readonly redaction: Redaction;
  /**
   * Identifies the machine that a name means now: address, port, user and route. If a name changes to another machine, it must not get the
   * secrets of the first.
   */
  readonly machineOf: (host: string) => string;
  readonly resolveAsk?: ((label: string) => Promise<string>) | undefined;
}

/** Secrets that users have entered for hosts. Kept in memory only, as long as they are right and the host is the same machine. */
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

  /** Forgets secrets of hosts that show another key or were removed from the list. */
  forgetWhere(isMeant: (host: string) => boolean): void {
    for (const [key, { host }] of this.known) if (isMeant(host)) this.known.delete(key);
  }

  /** Returns the secrets for one attempt to connect. `cancelled` is set if the user cancelled a question. */
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
