import type { Calculator, CalculatorId } from './calculator.ts';
import { connections } from './connections/connections.ts';
import { dataVolume } from './dataVolume/dataVolume.ts';
import { participants } from './participants/participants.ts';

export const calculators: Readonly<Record<CalculatorId, Calculator>> = {
  'data-volume': dataVolume,
  connections,
  participants,
};
