import type { Output, Reading, Subject } from './subject.ts';
import { numberIn, scaledIn } from './units.ts';
import { printedVersion } from './version.ts';

/**
 * Maximum rate for ab. It is far more than ab can send, so that the time ends the test and not the number of requests, for each of which ab
 * reserves memory.
 */
const MAX_PER_SECOND = 200_000;
const PERCENTILES = 'percentiles.csv';

/**
 * ApacheBench with keep-alive. It continues after broken connections, as the other tools do. Its table has whole ms, so the percentiles are
 * read from its file, which has µs.
 */
export const ab: Subject = {
  id: 'ab',
  origin: { kind: 'path', program: 'ab', install: 'apt-get install apache2-utils' },
  version: (located) => printedVersion(located, ['-V'], /Version (\S+)/),
  closed: ({ url, connections, seconds }, folder) => ({
    // The option -t also sets a number of requests, so it must come before -n.
    parameters: [
      ...`-k -q -r -l -s 120 -c ${connections} -t ${seconds} -n ${seconds * MAX_PER_SECOND} -e`.split(' '),
      `${folder}/${PERCENTILES}`,
      url,
    ],
    resultFile: PERCENTILES,
  }),
  read: readAb,
};

function readAb({ stdout, file }: Output): Reading {
  const complete = numberIn(stdout, /^Complete requests:\s+(\d+)$/m);
  const failed = numberIn(stdout, /^Failed requests:\s+(\d+)$/m);
  const unexpected = scaledIn(stdout, /^Non-2xx responses:\s+(\d+)$/m, 1) ?? 0;
  return {
    // ab sometimes counts a broken connection as complete. This number is then an upper bound, which the note states.
    responses: complete - unexpected,
    seconds: numberIn(stdout, /^Time taken for tests:\s+([\d.]+) seconds$/m),
    p50Ms: scaledIn(file, /^50,([\d.]+)$/m, 1),
    p99Ms: scaledIn(file, /^99,([\d.]+)$/m, 1),
    note: failed + unexpected === 0 ? '' : `${failed} failed, ${unexpected} not 2xx`,
  };
}
