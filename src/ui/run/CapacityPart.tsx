import type { Capacity, ScaledSet } from '#core/judgement/capacity/capacity.ts';
import { meanRate } from '#core/judgement/capacity/scaling.ts';
import { capacitySentences } from '#core/judgement/capacity/sentences.ts';
import { levelTable } from '#core/presentation/document/capacity.ts';
import { variantLook } from '#core/presentation/charts/looks.ts';
import { formatCount } from '#core/base/units.ts';
import { LevelCharts } from '../charts/LevelChart.tsx';
import { Blocks, Sentences } from '../components/Blocks.tsx';
import { Stack } from '../components/Page.tsx';
import { laterWords } from '../words/laterWords.ts';

const texts = laterWords.run.capacity;

/** Capacity estimate as sentences, and a table of levels next to the fitted curve. */
export function CapacityPart({ capacity }: { readonly capacity: Capacity }) {
  return (
    <Stack gap={16}>
      <Sentences list={capacitySentences(capacity)} />
      {capacity.sets.map((one) => (
        <CapacityLevels key={one.set.name} scaled={one} />
      ))}
    </Stack>
  );
}

/** Table of levels, with a chart if there are several different levels. */
function CapacityLevels({ scaled }: { readonly scaled: ScaledSet }) {
  const { set, scaling } = scaled;
  const curve = new Map((scaling.kind === 'refused' ? [] : scaling.residuals).map((residual) => [residual.name, residual.curve]));
  const measured = set.levels.map((level) => ({
    median: meanRate(level),
    least: Math.min(...level.perSecond),
    most: Math.max(...level.perSecond),
  }));
  const reported = set.levels.map(({ name }) => {
    const value = curve.get(name);
    return value === undefined ? null : { median: value, least: value, most: value };
  });
  const lines = [
    { name: texts.measured, look: variantLook(0), values: measured },
    ...(curve.size === 0 ? [] : [{ name: texts.curve, look: variantLook(1), values: reported }]),
  ];
  return (
    <Stack gap={12}>
      {new Set(set.levels.map(({ at }) => at)).size > 1 ? (
        <LevelCharts
          charts={[
            {
              title: set.name === '' ? texts.chart[set.counted] : texts.chartOf(set.name, texts.chart[set.counted]),
              about: '',
              unit: 'perSecond',
              categories: set.levels.map(({ at }) => formatCount(at)),
              numbers: set.levels.map(({ at }) => at),
              axisName: texts.axis[set.unit],
              lines,
            },
          ]}
        />
      ) : null}
      <Blocks blocks={levelTable(scaled)} />
    </Stack>
  );
}
