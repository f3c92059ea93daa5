import { formatCount } from '#core/base/units.ts';
import { answered, type Rule } from '../rule.ts';

/** Fewer than this many answers per connection although keep-alive was asked for. */
const FEW_ANSWERS_PER_CONNECTION = 2;

/** The server closes the connection after (almost) each answer, so each request pays for a new one. */
export const connectionPerRequest: Rule = {
  id: 'connectionPerRequest',
  find({ plan, ledger, connectionsOpened, phases }) {
    // Then it is the plan that opens them.
    if (plan.connections.reuse !== 'always') return [];
    const complete = answered(ledger.requests);
    if (complete < 100 || connectionsOpened === 0 || complete / connectionsOpened >= FEW_ANSWERS_PER_CONNECTION) return [];
    const connect = phases.connect?.p50;
    const evidence = [`${formatCount(connectionsOpened)} connections for ${formatCount(complete)} answers`];
    if (typeof connect === 'number') evidence.push(`opening one took ${connect} ms at the median`);
    return [
      {
        id: this.id,
        level: 'info',
        sentence: 'The server closes the connection after each answer, so every request opens a new one.',
        evidence,
        remedy:
          'Behind a proxy that keeps connections this may not matter. Otherwise switch keep-alive on in the server: each new connection costs time and, at high rates, ports.',
        confidence: 'certain',
        range: null,
      },
    ];
  },
};
