import type { ClosedLoad, Located, Output, Reading, Subject } from './subject.ts';
import { numberIn, scaledIn } from './units.ts';
import { printedVersion } from './version.ts';

const timedParameters = ({ connections, seconds }: ClosedLoad): string[] => ['-c', String(connections), '-z', `${seconds}s`, '-t', '120'];

export const hey: Subject = {
  id: 'hey',
  origin: { kind: 'path', program: 'hey', install: 'go install github.com/rakyll/hey@latest' },
  version: findVersion,
  closed: (load) => ({ parameters: [...timedParameters(load), load.url] }),
  // The rate option of hey applies to each worker.
  rate: (load) => ({ parameters: [...timedParameters(load), '-q', String(load.perSecond / load.connections), load.url] }),
  read: readHey,
};

/** Returns the version of hey. hey does not print its version, but the Go tools, if installed, read it from the binary. */
function findVersion({ program }: Located): Promise<string | null> {
  return printedVersion({ program: 'go', before: [] }, ['version', '-m', program], /^\s*mod\s+\S+\s+v?(\S+)/m);
}

function readHey({ stdout }: Output): Reading {
  const responses = [...stdout.matchAll(/^\s*\[(\d{3})\]\s+(\d+) responses$/gm)].map(([, status = '', count = '']) => ({
    isGood: status.startsWith('2'),
    count: Number(count),
  }));
  const sum = (isGood: boolean): number => responses.reduce((total, each) => total + (each.isGood === isGood ? each.count : 0), 0);
  const [, errors = ''] = stdout.split('Error distribution:');
  const failed = [...errors.matchAll(/^\s*\[(\d+)\]/gm)].reduce((total, [, count = '']) => total + Number(count), sum(false));
  return {
    responses: sum(true),
    seconds: numberIn(stdout, /^\s*Total:\s+([\d.]+) secs$/m),
    // Some versions of hey print the percent sign twice.
    p50Ms: scaledIn(stdout, /^\s*50%+ in ([\d.]+) secs$/m, 1_000),
    p99Ms: scaledIn(stdout, /^\s*99%+ in ([\d.]+) secs$/m, 1_000),
    note: failed === 0 ? '' : `${failed} failed`,
  };
}
