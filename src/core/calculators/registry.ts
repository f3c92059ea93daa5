import type { Calculator } from './calculator.ts';
import { connections } from './connections/connections.ts';
import { dataVolume } from './dataVolume/dataVolume.ts';
import { participants } from './participants/participants.ts';

/** For presets, which name calculators that help to answer their question. */
export const CALCULATOR_IDS = ['data-volume', 'connections', 'participants'] as const;
type CalculatorId = (typeof CALCULATOR_IDS)[number];

export const calculators: Readonly<Record<CalculatorId, Calculator>> = {
  'data-volume': dataVolume,
  connections,
  participants,
};
