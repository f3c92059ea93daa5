import { expect, it } from 'vitest';
import { createHistogram, record } from '#core/statistics/histogram.ts';
import { planWith } from '#core/testing/plans.ts';
import { repeatedWindows } from '#core/testing/windows.ts';
import { judged } from './testing/judged.ts';

/** Returns the sentences about ten seconds with 100 requests each and the given numbers of handshakes. */
function stated(full: number, resumed: number): string {
  const windows = repeatedWindows(10, { ok: [{ count: 100, ms: 20 }] }).map((window) => {
    const tls = createHistogram();
    for (let made = 0; made < full + resumed; made += 1) record(tls, 2_000);
    return { ...window, cells: window.cells.map((cell) => ({ ...cell, sessionsResumed: resumed, times: { ...cell.times, tls } })) };
  });
  const plan = planWith({ criteria: [{ kind: 'errors', maxShare: 0.01 }] });
  return judged({ plan, windows }).verdict.sentence;
}

it('verdict sentence: describes the measured handshakes if they are a notable part of the run', () => {
  expect(stated(0, 0)).not.toContain('TLS');
  expect(stated(5, 0)).not.toContain('TLS');
  expect(stated(100, 0)).toContain('Every connection over HTTP/1.1 made a full TLS handshake, as new visitors do.');
  expect(stated(60, 40)).toContain('Of the TLS handshakes over HTTP/1.1, 40 % were resumed.');
  expect(stated(1, 99)).toContain('Full handshakes of new visitors were not tested.');
});
