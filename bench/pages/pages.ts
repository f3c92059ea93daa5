import type { Measurement } from '../commands.ts';
import { type Comparison, verdictOn } from './compare.ts';
import { measureSubject } from './measure.ts';
import { runningPage, SUBJECTS } from './subjects.ts';
import { integer, names, readOptions } from '../running/readOptions.ts';

const OPTIONS = {
  only: names(
    'pages',
    SUBJECTS.map(({ id }) => id),
  ),
  url: { shape: 'URL', help: 'page of a site on this computer (repeatable)', read: (texts: readonly string[]) => texts },
  times: integer('loads of each page by Holdfast and by the browser', 5, 100),
};

/**
 * Returns the measurement that loads pages alternately with the load model and with a browser, both as on a first visit, and compares
 * requests, order and page time. Both connect through a recording proxy. Each page is loaded without a delay and with a known delay of each
 * response.
 */
export function readPages(parameters: readonly string[]): Measurement {
  const options = readOptions('pages', OPTIONS, parameters);
  if (typeof options === 'string') return () => console.log(options);
  const { only, url: urls, times } = options;
  const isOnlyUrls = urls.length > 0 && only.length === SUBJECTS.length;
  const chosenSubjects = [...(isOnlyUrls ? [] : SUBJECTS.filter(({ id }) => only.includes(id))), ...urls.map(runningPage)];
  return async (signal, print) => {
    const rows: string[] = [];
    let isMissed = false;
    for (const subject of chosenSubjects) {
      print(`${subject.id} …`);
      for (const { title, comparison, isDelayed } of await measureSubject(subject, times, signal)) {
        const { verdict, problems } = verdictOn(comparison, isDelayed);
        isMissed ||= verdict === 'missed';
        for (const problem of problems) print(`  ${title}: ${problem}`);
        rows.push(`| ${[title, ...getCells(comparison), verdict].join(' | ')} |`);
      }
    }
    console.log([...HEAD, ...rows].join('\n'));
    if (isMissed) process.exitCode = 1;
  };
}

const HEAD = [
  'Model / browser, medians. Outstanding: while a response that both asked for was outstanding. Thread: tasks of the page’s thread until the load event, of which scripts.',
  '',
  '| page | requests | only one | order | page, ms | ratio | outstanding, ms | ratio | thread, ms | |',
  '| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |',
];

function getCells({ requests, onlyModel, onlyBrowser, order, pageMs, dueMs, tasksMs, scriptsMs }: Comparison): string[] {
  const formatPair = ({ model, browser }: { model: number; browser: number }): string => `${model.toFixed(0)} / ${browser.toFixed(0)}`;
  const ratio = ({ model, browser }: { model: number; browser: number }): string => (model / browser).toFixed(2);
  const reasons = [...onlyModel.map(({ why }) => `model: ${why}`), ...onlyBrowser.map(({ why }) => `browser: ${why}`)];
  const counted = Object.entries(Object.groupBy(reasons, (reason) => reason)).map(([reason, all]) => `${all?.length ?? 0} ${reason}`);
  return [
    formatPair(requests),
    counted.join(', ') || '–',
    order === null ? '–' : `${(order * 100).toFixed(0)} %`,
    formatPair(pageMs),
    ratio(pageMs),
    formatPair(dueMs),
    ratio(dueMs),
    `${tasksMs.toFixed(0)}, ${scriptsMs.toFixed(0)}`,
  ];
}
