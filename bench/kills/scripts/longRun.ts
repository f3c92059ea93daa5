import { markStorable } from '#core/plan/hideSecrets.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { FOLD_LEVELS } from '#backend/store/folding.ts';
import { openStore } from '#backend/store/store.ts';
import { unknownReading } from '#core/result/readings.ts';
import { findOrAddCell, emptyWindow } from '#core/measurement/windowFold.ts';
import { readOwnIdentity } from '#engine/processIdentity.ts';

// Writes a run of hours as fast as the store accepts it. Prints `folding` when the run's oldest windows are about to be folded.

const PER_SECOND = 5;
const SECONDS = FOLD_LEVELS[0].afterSeconds + 800;

const target = 'http://127.0.0.1:1/';
const plan = planSchema.parse({
  holdfast: 1,
  name: 'hours',
  targets: [{ url: target }],
  journey: [{ name: 'page' }],
  load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: PER_SECOND, seconds: 8 * 3_600 }] },
});
const store = openStore(process.env['HOLDFAST_HOME'] ?? '');
const head = {
  id: 'hours',
  name: plan.name,
  note: '',
  preset: null,
  startedAt: new Date().toISOString(),
  endedAt: null,
  state: 'running',
  endedBecause: null,
  holdfastVersion: 'bench',
} as const;
const key = store.create({ head, target, plan: markStorable(plan), owner: readOwnIdentity(), nowMs: Date.now() });
for (let second = 0; second < SECONDS; second += 1) {
  const window = emptyWindow(second, 1);
  const cell = findOrAddCell(window, 0, 0);
  cell.started = PER_SECOND;
  cell.journeysStarted = PER_SECOND;
  cell.outcomes.ok = PER_SECOND;
  window.journeys.started = PER_SECOND;
  window.journeys.finished = PER_SECOND;
  const progress = { requests: PER_SECOND * (second + 1), completedPerSecond: PER_SECOND, nowMs: Date.now() };
  store.append(key, { generator: 0, window, reading: unknownReading(second) }, progress);
  if (second === FOLD_LEVELS[0].afterSeconds) console.log('folding');
}
store.close();
