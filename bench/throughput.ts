import { startNginx } from '#workers/testing/nginx.ts';
import { benchOptions, report } from './options.ts';
import { runSubject, runWrk, type SubjectResult } from './subject.ts';
import { markdownTable, median } from './table.ts';

/**
 * Requests per second of a full run (recorder, store, a live view that is watched) against plain autocannon in a worker thread that records nothing, interleaved in the same
 * minutes: nginx on core 0, the generator on core 1. Required: a median ratio of at least 0.9. wrk is shown for scale.
 */
const REQUIRED_RATIO = 0.9;
const options = benchOptions({ rounds: 5, seconds: 5, connections: 50 });
const nginx = await startNginx({ accessLog: false, http: 'keepalive_requests 1000000000;', core: 0 });
const load = { url: nginx.url, connections: options.connections, seconds: options.seconds, core: 1 };
const perSecond = ({ answers, seconds }: SubjectResult): number => answers / seconds;

const rounds: { readonly holdfast: number; readonly plain: number; readonly wrk: number; readonly note: string }[] = [];
try {
  for (let round = 1; round <= options.rounds; round += 1) {
    const holdfast = await runSubject('appSubject', load);
    const plain = await runSubject('plainAutocannon', load);
    const wrk = await runWrk(load);
    rounds.push({ holdfast: perSecond(holdfast), plain: perSecond(plain), wrk: perSecond(wrk), note: holdfast.note });
  }
} finally {
  await nginx.stop();
}

const ratios = rounds.map(({ holdfast, plain }) => holdfast / plain);
const ratio = median(ratios);
const rows = rounds.map(({ holdfast, plain, wrk }, index) => [
  String(index + 1),
  holdfast.toFixed(0),
  plain.toFixed(0),
  (ratios[index] ?? Number.NaN).toFixed(2),
  wrk.toFixed(0),
]);
const notes = rounds.map(({ note }) => note).filter((note) => note !== '');
const table = markdownTable(['round', 'full run, requests/s', 'plain autocannon, requests/s', 'ratio', 'wrk, requests/s'], rows);
const passed = ratio >= REQUIRED_RATIO && notes.length === 0;
const verdict = `Median ratio ${ratio.toFixed(2)}, required ${REQUIRED_RATIO}: ${passed ? 'met' : 'missed'}. ${notes.join('; ')}`;
await report(`${table}\n\n${verdict}`, passed, { ratio, options, rounds }, options.json);
