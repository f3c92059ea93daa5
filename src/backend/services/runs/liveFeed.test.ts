import { expect, it } from 'vitest';
import type { LiveSnapshot } from '#contract/replies.ts';
import { planFor } from '#backend/testing/plans.ts';
import { headFor } from '#backend/testing/runs.ts';
import { syntheticWindow } from '#backend/testing/windows.ts';
import { LiveFeed } from './liveFeed.ts';
import { LiveView } from './liveView.ts';

it('LiveFeed sends everything once to every reader, whenever the reader joined', () => {
  const plan = planFor('http://127.0.0.1:1/');
  const feed = new LiveFeed(new LiveView(plan), () => ({ head: headFor('a'), stage: 0 }));
  feed.setGenerators(['one', 'other'].map((name) => ({ name, lost: null })));
  const read = (): LiveSnapshot[] => {
    const items: LiveSnapshot[] = [];
    feed.subscribe({ item: (item) => void items.push(item), end: () => {} });
    return items;
  };
  const addSecond = (second: number): void => {
    const window = syntheticWindow(second, { perSecond: 2 });
    for (const generator of [0, 1]) feed.addGeneratorWindow({ generator, window });
    feed.add(window, null);
    feed.addEvent({ second, kind: 'note', text: `Second ${second}.` });
  };
  const readers = [0, 1, 2].map((second) => {
    const items = read();
    addSecond(second);
    return items;
  });
  feed.end();
  for (const items of readers) {
    expect(items.map((item) => item.plan)).toEqual([plan, ...items.slice(1).map(() => undefined)]);
    expect(items.flatMap(({ points }) => points.map(({ second }) => second))).toEqual([0, 1, 2]);
    expect(items.flatMap(({ events }) => events.map(({ second }) => second))).toEqual([0, 1, 2]);
    const generatorPoints = items.flatMap((item) => item.generatorPoints.map(({ generator, second }) => `${generator}:${second}`));
    expect(generatorPoints.toSorted()).toEqual(['0:0', '0:1', '0:2', '1:0', '1:1', '1:2']);
  }
});
