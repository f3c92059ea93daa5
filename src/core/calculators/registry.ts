import { formatCount, formatNumber } from '#core/base/units.ts';
import {
  type Calculation,
  type Calculator,
  CALCULATOR_TITLES,
  type CalculatorId,
  type CalculatorValues,
  type FigureKind,
  type FigureRow,
  formatVolume,
} from './calculator.ts';
import { connections } from './connections/connections.ts';
import { participants } from './participants/participants.ts';
import { dataVolumeGroups, dataVolumeNotes, type Volume, computeVolume, type VolumeYear } from './dataVolume.ts';

export const dataVolume: Calculator = {
  id: 'data-volume',
  title: CALCULATOR_TITLES['data-volume'],
  story: 'Rows and photos that schools submit over the years, the disk space they take, and how often people upload.',
  groups: dataVolumeGroups,
  calculate,
};

const VOLUME_ROWS: readonly { label: string; kind: FigureKind; of: keyof VolumeYear }[] = [
  { label: 'Schools', kind: 'count', of: 'schools' },
  { label: 'Teachers', kind: 'count', of: 'teachers' },
  { label: 'Classes', kind: 'count', of: 'classes' },
  { label: 'Students', kind: 'count', of: 'students' },
  { label: 'Responses', kind: 'count', of: 'responses' },
  { label: 'Prompts completed', kind: 'count', of: 'prompts' },
  { label: 'Photos', kind: 'count', of: 'photos' },
  { label: 'Photos on disk', kind: 'bytes', of: 'photoBytes' },
  { label: 'Rows in the database', kind: 'bytes', of: 'rowBytes' },
  { label: 'Uploads in active hours', kind: 'perSecond', of: 'uploadsPerSecond' },
];

function calculate(values: CalculatorValues): Calculation {
  const volume = computeVolume(values);
  const { years, total } = volume;
  const volumeText = formatVolume(total.photoBytes + total.rowBytes);
  const busiest = Math.max(...years.map(({ uploadsPerSecond }) => uploadsPerSecond));
  const after = years.length === 1 ? 'After a year' : `After ${formatCount(years.length)} years`;
  return {
    sentence: `${after} there are ${volumeText} of photos and rows from ${formatCount(total.responses)} responses; in the busiest year ${formatNumber(busiest)} uploads a second, on average over the active hours.`,
    table: {
      caption: 'Year by year',
      columns: [...years.map((_, index) => `Year ${index + 1}`), 'In the end'],
      rows: VOLUME_ROWS.map((row) => figureRow(row, volume)),
    },
    notes: dataVolumeNotes(values, volume),
  };
}

function figureRow({ label, kind, of }: (typeof VOLUME_ROWS)[number], { years, total }: Volume): FigureRow {
  return { label, kind, values: [...years.map((year) => year[of]), of === 'uploadsPerSecond' ? null : total[of]] };
}

export const calculators: Readonly<Record<CalculatorId, Calculator>> = { participants, connections, 'data-volume': dataVolume };
