import { createContext, useContext, type Dispatch } from 'react';
import type { WizardAction } from './state/reducer.ts';
import type { WizardState } from './state/types.ts';

export interface Wizard {
  readonly state: WizardState;
  readonly dispatch: Dispatch<WizardAction>;
}

export const WizardContext = createContext<Wizard | null>(null);

export function useWizard(): Wizard {
  const wizard = useContext(WizardContext);
  if (!wizard) throw new Error('WizardProvider is missing above this component');
  return wizard;
}
