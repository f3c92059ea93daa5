import type { Finding } from '#core/report/result.ts';
import { formatCount } from '#core/units.ts';
import type { Rule } from '../rule.ts';
import { watchedReadings } from '../watched.ts';

/** What a server has stored beside what it has told to be stored: a time limit on the way may lose the answer and not the work. */
export const storedUnknown: Rule = {
  id: 'storedUnknown',
  find({ plan, generators, requestsByStep }) {
    return (plan.watch ?? []).flatMap(({ name, counts }): Finding[] => {
      const readings = watchedReadings(generators, name);
      const [first, last] = [readings[0], readings.at(-1)];
      const requests = counts === undefined ? undefined : requestsByStep[counts];
      if (first === undefined || last === undefined || counts === undefined || requests === undefined || readings.length < 2) return [];
      const stored = last.value - first.value;
      const beyond = stored - requests.ok;
      if (beyond === 0) return [];
      const facts = `“${name}” grew from ${formatCount(first.value)} to ${formatCount(last.value)}, and ${formatCount(requests.ok)} of ${formatCount(requests.sent)} requests of “${counts}” got a good answer.`;
      const finding = { level: 'problem' as const, evidence: [facts], confidence: 'likely' as const, range: null };
      return beyond > 0
        ? [
            {
              ...finding,
              id: `${this.id}.${counts}`,
              sentence: `${formatCount(beyond)} of “${counts}” were stored although whoever sent them was told that they failed.`,
              remedy:
                'A proxy or the visitor gave up before the server was done, and it went on. Whoever sends them again must not store them twice: give each an identity of its own. Let the time limit on the way be longer than the server’s own.',
            },
          ]
        : [
            {
              ...finding,
              id: `${this.id}.${counts}`,
              sentence: `${formatCount(-beyond)} of “${counts}” were answered well and are not stored.`,
              remedy: 'Look whether the server answers before it has stored, and whether what it stores later is lost.',
            },
          ];
    });
  },
};
