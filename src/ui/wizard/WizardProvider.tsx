import { createContext, type Dispatch, type ReactNode, useContext, useEffect, useMemo, useReducer } from 'react';
import { type WizardAction, wizardReducer } from './state/reducer.ts';
import type { WizardState } from './state/types.ts';
import { readDraft, writeDraft } from './state/draft.ts';

export interface Wizard {
  readonly state: WizardState;
  readonly dispatch: Dispatch<WizardAction>;
}

const WizardContext = createContext<Wizard | null>(null);

export function useWizard(): Wizard {
  const wizard = useContext(WizardContext);
  if (!wizard) throw new Error('WizardProvider is missing above this component');
  return wizard;
}

const KEY = 'holdfast.wizard';

/** Holds the wizard's state above the routes, so that a look at History loses nothing; the draft survives a reload. */
export function WizardProvider({ children }: { readonly children: ReactNode }) {
  const [state, dispatch] = useReducer(wizardReducer, null, () => readDraft(sessionStorage.getItem(KEY)));
  useEffect(() => sessionStorage.setItem(KEY, writeDraft(state)), [state]);
  const wizard = useMemo(() => ({ state, dispatch }), [state]);
  return <WizardContext value={wizard}>{children}</WizardContext>;
}
