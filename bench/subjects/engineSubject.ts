import { planSchema } from '#core/plan/schema.ts';
import { Totals } from '#core/stats/totals.ts';
import { startEngine } from '#engine/startEngine.ts';
import type { SubjectResult } from '../subject.ts';

/** A whole run of the engine as the backend starts it: recorder, windows, the watch over this machine. Arguments: url, connections, seconds. */
const [url = '', connections = '', seconds = ''] = process.argv.slice(2);
const plan = planSchema.parse({
  holdfast: 1,
  name: 'bench',
  targets: [{ url }],
  journey: [{ name: 'page' }],
  load: { model: 'connections', stages: [{ connections: Number(connections), seconds: Number(seconds) }] },
});
const totals = new Totals();
const job = { runId: 'bench', plan, targets: [{ url, headers: {} }], steps: [{ headers: {}, body: null }], userAgent: null };
const run = startEngine(
  job,
  { workerEntry: new URL('../../workers/loadWorker.ts', import.meta.url) },
  {
    onStage: () => {},
    onDraining: () => {},
    onEvent: () => {},
    onWindow: (window) => totals.add(window),
  },
);
const end = await run.done;
const { ledger, balances } = totals.ledger(plan, true);
const { p50, p99 } = totals.latency();
const result: SubjectResult = {
  answers: ledger.requests.ok,
  seconds: end.stages[0]?.endedAtSecond ?? 0,
  p50Ms: typeof p50 === 'number' ? p50 : null,
  p99Ms: typeof p99 === 'number' ? p99 : null,
  note: balances ? '' : 'the ledger does not balance',
};
console.log(JSON.stringify(result));
