import type { CharacterAnswer } from '#core/search/characterize/schema.ts';
import { characterTable } from '#core/search/characterize/table.ts';
import { placesWords } from '#core/plan/hosts/places.ts';
import { STUDY_PREFIX, type StudyResult } from '#core/search/result.ts';
import { plainTable } from '#core/presentation/document/model.ts';
import { studyTable, tellsFigures } from '#core/presentation/document/studyTables.ts';
import { passageLines } from '#core/presentation/text/textTable.ts';
import { TABLE_WIDTH } from './table.ts';

/** Ids of studies begin so, those of runs with the year. */
export function isStudyId(text: string): boolean {
  return text.startsWith(STUDY_PREFIX);
}

/** A study for a terminal: the answer, what it follows from, and then the runs. */
export function studyText(result: StudyResult): string {
  const { study, answer, document } = result;
  const url = document.plan.targets[0]?.url ?? '';
  const ended = study.endedBecause === null ? study.state : `${study.state}: ${study.endedBecause}`;
  const from = document.on === undefined ? '' : ` · from ${placesWords(document.on)}`;
  const sections = [
    `${study.name} · ${url}${from} · ${ended}\n`,
    `${answer.sentence}\n`,
    answer.kind === 'characterize' ? characterText(answer, url) : '',
    lines(answerLines(answer)),
    lines(passageLines(studyTable({ ...result, runs: result.runs.filter(tellsFigures) }), TABLE_WIDTH)),
    `${study.id} · ${study.startedAt}\n`,
  ];
  return sections.filter((section) => section !== '').join('\n');
}

function characterText(answer: CharacterAnswer, url: string): string {
  const { columns, row } = characterTable(answer, url);
  return lines(passageLines(plainTable('What it is', columns, [row]), TABLE_WIDTH));
}

function answerLines(answer: StudyResult['answer']): string[] {
  if (answer.kind === 'breakingPoint') return answer.reasons.map((text) => `  - ${text}`);
  return [
    ...answer.reasoning.map(({ about, text }) => `  - ${about}: ${text}`),
    ...(answer.trap === null ? [] : [`  - a common trap: ${answer.trap}`]),
  ];
}

function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
