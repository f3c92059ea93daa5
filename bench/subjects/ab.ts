import type { Output, Reading, Subject } from './subject.ts';
import { numberIn, scaledIn } from './units.ts';
import { printedVersion } from './version.ts';

/** Far more requests than it can send, so its count never ends the test before the time does. It reserves memory for each. */
const MAX_PER_SECOND = 200_000;
const PERCENTILES = 'percentiles.csv';

/**
 * ApacheBench with keep-alive; continues after broken connections like the others. Its table has whole ms, so the percentiles come from its
 * file in µs.
 */
export const ab: Subject = {
  id: 'ab',
  origin: { kind: 'path', program: 'ab', install: 'apt-get install apache2-utils' },
  version: (located) => printedVersion(located, ['-V'], /Version (\S+)/),
  closed: ({ url, connections, seconds }, folder) => ({
    // -t sets a count of its own and must come before -n.
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
    // A broken connection sometimes counts as complete: then this is an upper bound, as the note says.
    responses: complete - unexpected,
    seconds: numberIn(stdout, /^Time taken for tests:\s+([\d.]+) seconds$/m),
    p50Ms: scaledIn(file, /^50,([\d.]+)$/m, 1),
    p99Ms: scaledIn(file, /^99,([\d.]+)$/m, 1),
    note: failed + unexpected === 0 ? '' : `${failed} failed, ${unexpected} not 2xx`,
  };
}
