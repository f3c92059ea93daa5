import type { Page } from '@playwright/test';
import { z } from 'zod';

/** The long tasks of a page. The browser reports tasks that take at least 50 ms. */
const tasksSchema = z.array(z.object({ startMs: z.number(), ms: z.number() }));
type Tasks = z.infer<typeof tasksSchema>;

/** Records long tasks, beginning with the first script of the page. */
export async function noteLongTasks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const tasks: { startMs: number; ms: number }[] = [];
    Object.assign(globalThis, { longTasks: tasks });
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) tasks.push({ startMs: startTime, ms: duration });
    }).observe({ type: 'longtask', buffered: true });
  });
}

/** Returns the durations of the long tasks since the last call, in ms, longest first. */
export async function takeLongTasks(page: Page): Promise<number[]> {
  // Waits, because an observer is notified in a later task.
  await page.waitForTimeout(200);
  const tasks: Tasks = tasksSchema.parse(await page.evaluate('globalThis.longTasks.splice(0)'));
  return tasks.map(({ ms }) => ms).sort((one, other) => other - one);
}

const framesSchema = z.array(z.number());

/** Scrolls to the end of the page, by this many pixels per frame. Returns the times between frames in ms. */
export async function scrollThrough(page: Page, pixels: number): Promise<number[]> {
  return framesSchema.parse(
    await page.evaluate(async (step) => {
      const frames: number[] = [];
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
      let before = await frame();
      while (window.scrollY + window.innerHeight < document.documentElement.scrollHeight - 1) {
        window.scrollBy({ top: step, behavior: 'instant' });
        const now = await frame();
        frames.push(now - before);
        before = now;
      }
      return frames;
    }, pixels),
  );
}

/** Returns how many kilobytes of script the page has loaded, as uncompressed size. */
export async function scriptKilobytes(page: Page): Promise<number> {
  return (
    z
      .number()
      .parse(
        await page.evaluate(() =>
          performance
            .getEntriesByType('resource')
            .reduce(
              (sum, entry) => sum + (entry.name.endsWith('.js') && 'decodedBodySize' in entry ? Number(entry.decodedBodySize) : 0),
              0,
            ),
        ),
      ) / 1_000
  );
}
