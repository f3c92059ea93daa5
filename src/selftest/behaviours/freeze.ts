import { answer, MS, USUAL_LOAD, type Behaviour, type Tail } from './behaviour.ts';

export const PAUSE: Tail = { periodUs: 5_000 * MS, fromUs: 1_000 * MS, lengthUs: 1_000 * MS, usualUs: 10 * MS };

/** When an answer leaves that would be due at `dueUs`: at the end of the pause when it falls into one. */
export function thawed(dueUs: number, { periodUs, fromUs, lengthUs }: Tail): number {
  const start = Math.floor((dueUs - fromUs) / periodUs) * periodUs + fromUs;
  return dueUs - start < lengthUs ? start + lengthUs : dueUs;
}

export const freeze: Behaviour = {
  id: 'freeze',
  title: '1 s freeze every 5 s',
  story: 'Answers take 10 ms, but in every 5 s there is one second in which none leaves.',
  load: { ...USUAL_LOAD, seconds: 7.5, quickSeconds: 2.5 },
  act: ({ atUs }) => answer({ dueUs: thawed(atUs + PAUSE.usualUs, PAUSE) }),
  tail: PAUSE,
};
