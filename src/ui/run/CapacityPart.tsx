import type { Capacity, ScaledSet } from '#core/judgement/capacity/capacity.ts';
import { meanRate } from '#core/judgement/capacity/scaling.ts';
import { capacitySentences, scalingTable } from '#core/judgement/capacity/words.ts';
import { variantLook } from '#core/presentation/charts/looks.ts';
import { formatCount } from '#core/base/units.ts';
import { LevelChart } from '../charts/LevelChart.tsx';
import { LineLegend } from '../charts/LineLegend.tsx';
import { Stack } from '../components/Page.tsx';
import { Cell, HeadCell, Row, Table } from '../components/Table.tsx';
import { words } from '../words/words.ts';
import styles from './CapacityPart.module.css';

const texts = words.run.capacity;

/** How much something can do: in sentences, then its levels beside the curve that was laid through them. */
export function CapacityPart({ capacity }: { readonly capacity: Capacity }) {
  return (
    <Stack gap={16}>
      <ul className={styles.sentences}>
        {capacitySentences(capacity).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {capacity.sets.map((one) => (
        <Levels key={one.set.name} scaled={one} />
      ))}
    </Stack>
  );
}

function Levels({ scaled }: { readonly scaled: ScaledSet }) {
  const { set, scaling } = scaled;
  const [, ...rows] = scalingTable(scaled);
  const curve = new Map((scaling.kind === 'refused' ? [] : scaling.residuals).map((residual) => [residual.name, residual.curve]));
  const measured = set.levels.map((level) => ({
    median: meanRate(level),
    least: Math.min(...level.perSecond),
    most: Math.max(...level.perSecond),
  }));
  const told = set.levels.map(({ name }) => {
    const value = curve.get(name);
    return value === undefined ? null : { median: value, least: value, most: value };
  });
  const lines = [
    { name: texts.measured, look: variantLook(0), values: measured },
    ...(curve.size === 0 ? [] : [{ name: texts.curve, look: variantLook(1), values: told }]),
  ];
  return (
    <Stack gap={12}>
      <LineLegend lines={lines} />
      <LevelChart
        title={set.name === '' ? texts.chart[set.counted] : texts.chartOf(set.name, texts.chart[set.counted])}
        unit="perSecond"
        categories={set.levels.map(({ at }) => formatCount(at))}
        axisName={texts.axis[set.unit]}
        lines={lines}
      />
      <Table caption={texts.table(set.name)} stacks>
        <thead>
          <Row>
            <HeadCell>{texts.columns.level}</HeadCell>
            <HeadCell numeric>{texts.axis[set.unit]}</HeadCell>
            <HeadCell numeric>{texts.columns.measured}</HeadCell>
            <HeadCell numeric>{texts.columns.curve}</HeadCell>
            <HeadCell numeric>{texts.columns.off}</HeadCell>
          </Row>
        </thead>
        <tbody>
          {rows.map(([level = '', at = '', rate = '', said = '', off = '']) => (
            <Row key={level}>
              <HeadCell scope="row">{level}</HeadCell>
              <Cell numeric label={texts.axis[set.unit]}>
                {at}
              </Cell>
              <Cell numeric label={texts.columns.measured}>
                {rate}
              </Cell>
              <Cell numeric label={texts.columns.curve}>
                {said}
              </Cell>
              <Cell numeric label={texts.columns.off}>
                {off}
              </Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </Stack>
  );
}
