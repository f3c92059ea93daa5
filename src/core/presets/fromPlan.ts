import { stringify } from 'yaml';
import { isBlock } from '#core/base/json.ts';
import { computePlannedSeconds } from '#core/work/load/planned.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { PRESET_VERSION } from './schema.ts';

const MAX_TITLE_LENGTH = 80;
const MAX_QUESTIONS = 30;
/** Minimum time in minutes that a preset may claim to take. */
const MIN_MINUTES = 0.1;

/** Fields of a plan whose numbers become questions, each with the label and the unit of the question. */
const QUESTION_NUMBERS: ReadonlyMap<string, { readonly label: string; readonly unit: string; readonly isWhole: boolean }> = new Map([
  ['connections', { label: 'How many connections at the same time?', unit: 'connections', isWhole: true }],
  ['users', { label: 'How many users?', unit: 'users', isWhole: true }],
  ['arrivals', { label: 'How many people arrive?', unit: 'people', isWhole: true }],
  ['perSecond', { label: 'How many arrive each second?', unit: '/s', isWhole: false }],
  ['fromPerSecond', { label: 'How many arrive each second at the start?', unit: '/s', isWhole: false }],
  ['toPerSecond', { label: 'How many arrive each second at the end?', unit: '/s', isWhole: false }],
  ['seconds', { label: 'For how many seconds?', unit: 's', isWhole: false }],
  ['startUpSeconds', { label: 'Over how many seconds do users start?', unit: 's', isWhole: false }],
  ['atSeconds', { label: 'How many seconds after the start does the bell ring?', unit: 's', isWhole: false }],
  ['maxMs', { label: 'Within how many milliseconds?', unit: 'ms', isWhole: false }],
]);
/** Members of a plan in which numbers are asked for. */
const ASKED_MEMBERS = ['load', 'bells', 'criteria'] as const;
/** Ratio of the maximum of a question to its default. */
const MAX_FACTOR = 1_000;

type PresetQuestion = Record<string, unknown> & { readonly id: string };

/**
 * Writes a preset from a plan. Numbers of the load, the bells and the pass criteria become questions, and so do feed files. The defaults
 * are the values in the plan. Built with its defaults and the targets of the plan, the preset gives the same load.
 */
export function presetFromPlan(plan: Plan): string {
  const questions: PresetQuestion[] = [];
  const { targets: _targets, preset: _preset, answers: _answers, ...rest } = plan;
  const block: Record<string, unknown> = { ...rest };
  for (const member of ASKED_MEMBERS)
    if (block[member] !== undefined) block[member] = insertQuestions(block[member], member === 'load' ? '' : `${member} `, questions);
  block['feeds'] = feedsWithQuestions(plan, questions);
  const preset = {
    holdfastPreset: PRESET_VERSION,
    id: slugify(plan.name),
    title: plan.name.slice(0, MAX_TITLE_LENGTH),
    story: plan.story === '' ? `The plan “${plan.name}”, with its numbers as questions.` : plan.story.slice(0, 400),
    takesMinutes: Math.max(MIN_MINUTES, Math.ceil(computePlannedSeconds(plan) ?? 60) / 60),
    questions: questions.slice(0, MAX_QUESTIONS),
    plan: JSON.parse(JSON.stringify(block)),
  };
  return stringify(preset, { lineWidth: 140 });
}

/**
 * Replaces known numbers by formulas that name new questions. The label of a question begins with the name or the step of the block that
 * contains the number.
 */
function insertQuestions(value: unknown, prefix: string, questions: PresetQuestion[]): unknown {
  if (Array.isArray(value)) return value.map((item) => insertQuestions(item, prefix, questions));
  if (!isBlock(value)) return value;
  const name = typeof value['name'] === 'string' ? `${value['name']}: ` : typeof value['step'] === 'string' ? `${value['step']}: ` : '';
  return Object.fromEntries(
    Object.entries(value).map(([member, inside]) => {
      const question = QUESTION_NUMBERS.get(member);
      if (question === undefined || typeof inside !== 'number' || questions.length >= MAX_QUESTIONS)
        return [member, insertQuestions(inside, isBlock(inside) && prefix.startsWith('bells') ? `${member}: ` : prefix, questions)];
      const id = findFreeId(member, questions);
      questions.push({
        id,
        kind: 'number',
        label: name === '' ? question.label : `${name}${question.label.charAt(0).toLowerCase()}${question.label.slice(1)}`,
        default: inside,
        min: question.isWhole ? Math.min(1, inside) : 0,
        max: Math.max(1, inside) * MAX_FACTOR,
        ...(question.isWhole ? {} : { whole: false }),
        unit: question.unit,
      });
      return [member, `=${id}`];
    }),
  );
}

function feedsWithQuestions({ feeds }: Plan, questions: PresetQuestion[]): unknown {
  if (feeds === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(feeds).map(([name, feed]) => {
      if (questions.length >= MAX_QUESTIONS) return [name, feed];
      const id = findFreeId('file', questions);
      questions.push({ id, kind: 'text', file: true, label: `Which file holds the rows of “${name}”?`, default: feed.file });
      return [name, { ...feed, file: `{${id}}` }];
    }),
  );
}

function findFreeId(name: string, questions: readonly PresetQuestion[]): string {
  const taken = new Set(questions.map(({ id }) => id));
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) if (!taken.has(`${name}${number}`)) return `${name}${number}`;
}

function slugify(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[-0-9]+|-+$/g, '');
  return words === '' ? 'my-plan' : words.slice(0, 60);
}
