import { chartNames } from '#core/presentation/charts/names.ts';

/** Words around every chart. Values in them arrive formatted. */
export const charts = {
  ...chartNames,
  logarithmic: 'Log scale',
  showTable: 'Show as table',
  showChart: 'Show as chart',
  more: (title: string) => `Copy or save “${title}”`,
  copyPng: 'Copy as picture',
  savePng: 'Save as PNG',
  saveSvg: 'Save as SVG',
  copyCsv: 'Copy as CSV',
  saveCsv: 'Save as CSV',
  saved: 'Saved',
  copied: 'Copied',
  notCopied: 'Could not copy: save it instead',
  notDrawn: 'The picture could not be made: save it as SVG or CSV instead',
  empty: 'Nothing was measured yet.',
  mostAnswers: (when: string, from: string, to: string) => `At ${when} most answers took ${from} to ${to}.`,
  at: (elapsed: string, clock: string) => (clock === '' ? `at ${elapsed}` : `at ${elapsed} · ${clock}`),
  spanOf: (elapsed: string, seconds: string) => `${elapsed}, ${seconds}`,
  walk: (title: string) => `${title}: walk through the time with the arrow keys`,
  table: {
    from: 'From',
    clock: 'Clock',
    length: 'Length',
    shortened: (shown: string, all: string) => `${shown} of ${all} points, chosen so that no peak is lost. The CSV holds all of them.`,
  },
  moreCharts: 'More charts',
  moreChartsSummary: 'waiting requests, data received',
  bytesSummary: 'data received',
};
