import { numberOption } from '../optionKinds.ts';

/** A line that carries only so much: the answers of the practice server share it. */
export const bandwidthOption = numberOption({
  label: 'Bandwidth of the line',
  help: 'All addresses are reached over one line that carries so many million bits a second.',
  default: null,
  min: 0.1,
  max: 1_000,
  whole: false,
  unit: 'Mbit/s',
  unset: 'the computer’s own',
  fault: true,
});
