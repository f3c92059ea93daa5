import { startNginx } from '#workers/testing/nginx.ts';
import { benchOptions, report } from './options.ts';
import { runSubject, runWrk, type SubjectResult } from './subject.ts';
import { markdownTable, median } from './table.ts';

/**
 * Requests per second of our own engine, recording included, against wrk and against plain autocannon in a worker thread,
 * interleaved in the same minutes: nginx on core 0, the generator on core 1. Required: 0.7 of wrk and 1.6 of autocannon (medians).
 */
const REQUIRED_OF_WRK = 0.7;
const REQUIRED_OF_AUTOCANNON = 1.6;
const options = benchOptions({ rounds: 5, seconds: 5, connections: 50 });
const nginx = await startNginx({ accessLog: false, http: 'keepalive_requests 1000000000;', core: 0 });
const load = { url: nginx.url, connections: options.connections, seconds: options.seconds, core: 1 };
const perSecond = ({ answers, seconds }: SubjectResult): number => answers / seconds;

const rounds: { readonly native: number; readonly wrk: number; readonly plain: number; readonly note: string }[] = [];
try {
  for (let round = 1; round <= options.rounds; round += 1) {
    const native = await runSubject('nativeEngine', load);
    const wrk = await runWrk(load);
    const plain = await runSubject('plainAutocannon', load);
    rounds.push({ native: perSecond(native), wrk: perSecond(wrk), plain: perSecond(plain), note: native.note });
  }
} finally {
  await nginx.stop();
}

const rows = rounds.map(({ native, wrk, plain }, index) => [
  String(index + 1),
  native.toFixed(0),
  wrk.toFixed(0),
  (native / wrk).toFixed(2),
  plain.toFixed(0),
  (native / plain).toFixed(2),
]);
const ofWrk = median(rounds.map(({ native, wrk }) => native / wrk));
const ofPlain = median(rounds.map(({ native, plain }) => native / plain));
const notes = rounds.map(({ note }) => note).filter((note) => note !== '');
const table = markdownTable(['round', 'native, requests/s', 'wrk', 'ratio', 'plain autocannon', 'ratio'], rows);
const passed = ofWrk >= REQUIRED_OF_WRK && ofPlain >= REQUIRED_OF_AUTOCANNON && notes.length === 0;
const verdict = `Medians: ${ofWrk.toFixed(2)} of wrk (required ${REQUIRED_OF_WRK}), ${ofPlain.toFixed(2)} of plain autocannon (required ${REQUIRED_OF_AUTOCANNON}). ${notes.join('; ')}`;
await report(`${table}\n\n${verdict}`, passed, { ofWrk, ofPlain, options, rounds }, options.json);
