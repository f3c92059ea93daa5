import type { Draft } from '../draft.ts';
import { isTrue, numberOf, property, textOf, type Element } from './element.ts';
import type { Values } from './values.ts';

/** How many threads a group has, and how long. */
export interface Threads {
  readonly title: string;
  readonly users: number;
  readonly rampSeconds: number;
  /** null: as often as the loops say, or for ever. */
  readonly seconds: number | null;
  /** null: for ever. */
  readonly loops: number | null;
}

export const MOST_SECONDS = 604_800;

export function threadsOf(draft: Draft, values: Values, group: Element): Threads {
  const { xml, kind } = group;
  const title = group.title.slice(0, 60);
  const read = (name: string): number | null => numberOf(values.plain(textOf(xml, name)));
  const within = (value: number | null, least: number, most: number, otherwise: number): number =>
    Math.min(most, Math.max(least, value ?? otherwise));
  if (kind !== 'ThreadGroup') {
    const unit = textOf(xml, 'Unit').trim() === 'M' ? 60 : 1;
    const users = read('TargetLevel');
    if (users === null)
      draft.changed(title, `The schedule of ${kind.split('.').at(-1) ?? kind} is not read.`, 'Ten users for a minute stand in its place.');
    else if ((read('Steps') ?? 0) > 1) draft.changed(title, 'Threads come in steps.', 'They come evenly.');
    return {
      title,
      users: Math.floor(within(users, 1, 20_000, 10)),
      rampSeconds: within(read('RampUp'), 0, MOST_SECONDS, 0) * unit,
      seconds: within(read('RampUp'), 0, MOST_SECONDS, 0) * unit + within(read('Hold'), 1, MOST_SECONDS, 60) * unit,
      loops: null,
    };
  }
  const users = read('ThreadGroup.num_threads');
  if (users === null) draft.assumed(title, 'The number of threads is not given, or by a variable without a value.', 'One user is taken.');
  const controller = property(xml, 'ThreadGroup.main_controller');
  const loops = controller === null ? null : numberOf(values.plain(textOf(controller, 'LoopController.loops')));
  const isScheduled = isTrue(xml, 'ThreadGroup.scheduler');
  const duration = read('ThreadGroup.duration');
  if (isScheduled && (read('ThreadGroup.delay') ?? 0) > 0) draft.leftOut(title, 'Its threads start after a delay.');
  const onError = textOf(xml, 'ThreadGroup.on_sample_error').trim();
  if (onError !== '' && onError !== 'continue')
    draft.leftOut(
      title,
      `After a failure it does otherwise than go on (${onError.slice(0, 40)}).`,
      'A journey ends when something it needs has failed; the test goes on. safety.stopAtErrorShare ends it.',
    );
  return {
    title,
    users: Math.floor(within(users, 1, 20_000, 1)),
    rampSeconds: within(read('ThreadGroup.ramp_time'), 0, MOST_SECONDS, 0),
    seconds: isScheduled && duration !== null && duration > 0 ? within(duration, 1, MOST_SECONDS, 60) : null,
    loops: loops === null || loops < 0 ? null : within(loops, 1, 1_000_000, 1),
  };
}
