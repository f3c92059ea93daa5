import { createContext, type Dispatch, type ReactNode, useContext, useEffect, useMemo, useReducer } from 'react';
import { STORED } from '#ui/shared/stored.ts';
import { type WizardAction, wizardReducer } from './state/reducer.ts';
import { EMPTY_STATE, type WizardState } from './state/types.ts';
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

/**
 * Holds the wizard's state above the routes, so that opening another page loses no entries. The state is saved as a draft, which survives a
 * reload.
 */
export function WizardProvider({ draft, children }: { readonly draft: string | null; readonly children: ReactNode }) {
  const [state, dispatch] = useReducer(wizardReducer, draft, readDraft);
  useEffect(() => {
    if (state === EMPTY_STATE) sessionStorage.removeItem(STORED.draft);
    else sessionStorage.setItem(STORED.draft, writeDraft(state));
  }, [state]);
  const wizard = useMemo(() => ({ state, dispatch }), [state]);
  return <WizardContext value={wizard}>{children}</WizardContext>;
}
