import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readPresets } from '#backend/presets/presetFiles.ts';
import { buildPlan } from '#core/presets/build.ts';
import { standIns } from '#core/presets/pageList.ts';
import { targetSchema } from '#core/plan/schema/plan.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

const targets = [targetSchema.parse({ url: 'http://127.0.0.1:8080/' })];
const { presets } = await readPresets({ shipped: fileURLToPath(new URL('../../../presets/', import.meta.url)) });

function buildExam(answers: Record<string, number | string>): Plan | null {
  const preset = presets.find(({ id }) => id === 'exam');
  if (!preset) throw new Error('There is no preset exam.');
  return buildPlan(preset, { ...answers, ...standIns(preset, answers) }, targets).plan;
}

describe('the exam preset', () => {
  it.each(['moodle', 'tcexam'])('leaves time to the pupils who take longest: %s', (system) => {
    const [questions, examMinutes] = [3, 5];
    const plan = buildExam({ system, questions, examMinutes });
    const steps = plan?.flow?.flatMap((part) => {
      if (typeof part === 'string') return [part];
      return 'repeat' in part ? Array.from({ length: questions - (system === 'moodle' ? 1 : 0) }, () => part.flow).flat() : [];
    });
    const pausesSeconds = steps?.map((name) => {
      const pause = plan?.journey.find((step) => step.name === name)?.thinkTime;
      return pause?.kind === 'uniform' ? (pause.fromSeconds + pause.toSeconds) / 2 : 0;
    });
    expect(pausesSeconds?.reduce((sum, seconds) => sum + seconds, 0)).toBeCloseTo(0.7 * 60 * examMinutes, 6);
    expect(steps?.filter((name) => name === 'answer')).toHaveLength(questions);
  });

  it.each([
    ['was handed in', '', '', true],
    [
      'was handed in, and its results are shown after its end',
      ' style="color:#666666;"',
      '<a href="tce_show_result_user.php?testuser_id=3">',
      true,
    ],
    ['ended before', ' style="color:#666666;"', '', false],
    ['is under way', '', '<a href="tce_test_execute.php?testid=7" class="xmlbutton">continue</a>', false],
    ['may be repeated', '', '<a href="tce_test_start.php?testid=7&amp;repeat=1">repeat</a>', true],
  ])('recognizes in the list of TCExam that a test %s', (_state, dates, link, isHandedIn) => {
    const plan = buildExam({ system: 'tcexam', test: 7 });
    const checks = plan?.journey.find(({ name }) => name === 'result')?.checks ?? [];
    const [pattern] = checks.flatMap((check) => (check.kind === 'matches' ? [check.pattern] : []));
    const row = (test: number, style: string, action: string): string =>
      `<tr><td><a href="tce_popup_test_info.php?testid=${test}" title="info">Test</a></td><td${style}>2026</td><td>&nbsp;</td><td>${action}</td></tr>`;
    const others = row(17, ' style="color:#666666;"', '') + row(77, '', '<a href="tce_test_start.php?testid=77">');
    expect(new RegExp(pattern ?? '').test(row(6, '', '') + row(7, dates, link) + others)).toBe(isHandedIn);
    expect(new RegExp(pattern ?? '').test(others)).toBe(false);
  });
});
