import type { HostReport } from '#core/plan/schema/hosts.ts';
import { formatMs } from '#core/base/units.ts';
import { textTable } from './table.ts';

/** What a host has told, in lines. */
export function hostText(name: string, report: HostReport): string {
  const { user, hostname, system, kernel, cores, memoryBytes, node, clock, roundTripMs, notes } = report;
  const rows = [
    ['user', user],
    ['host', hostname],
    ['system', `${system} (${kernel})`],
    ['cores', cores === null ? 'not known' : String(cores)],
    ['memory', memoryBytes === null ? 'not known' : `${(memoryBytes / 1e9).toFixed(1)} GB`],
    ['Node', node === null ? 'none' : `${node.version} (${node.path})`],
    [
      'clock',
      clock === null
        ? 'not known'
        : `${formatMs(Math.abs(clock.aheadMs))} ${clock.aheadMs < 0 ? 'behind' : 'ahead of'} ours, give or take ${formatMs(clock.errorMs)}`,
    ],
    ['round trip', formatMs(roundTripMs)],
  ];
  return `${name} answers.\n${textTable(rows)}${notes.map((note) => `${note}\n`).join('')}`;
}
