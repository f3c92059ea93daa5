import type { Output, Reading, Subject } from './subject.ts';
import { numberIn, scaledIn } from './units.ts';
import { printedVersion } from './version.ts';

/**
 * Maximum rate for ab. It is far more than ab can send, so that the number of requests never ends the test before the time does. ab
 * reserves memory for each.
 */
const MAX_PER_SECOND = 200_000;
const PERCENTILES = 'percentiles.csv';

/**
 * ApacheBench with keep-alive. It continues after broken connections like the other tools. Its table has whole ms, so the percentiles are
 * read from its file in µs.
 */
export const ab: Subject = {
  id: 'ab',
  origin: { kind: 'path', program: 'ab', install: 'apt-get install apache2-utils' },
  version: (located) => printedVersion(located, ['-V'], /Version (\S+)/),
  closed: ({ url, connections, seconds }, folder) => ({
    // The option -t sets a number of requests itself, so it must come before -n.
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
    // ab sometimes counts a broken connection as complete. Then this number is an upper bound, as the note says.
    responses: complete - unexpected,
    seconds: numberIn(stdout, /^Time taken for tests:\s+([\d.]+) seconds$/m),
    p50Ms: scaledIn(file, /^50,([\d.]+)$/m, 1),
    p99Ms: scaledIn(file, /^99,([\d.]+)$/m, 1),
    note: failed + unexpected === 0 ? '' : `${failed} failed, ${unexpected} not 2xx`,
  };
}
