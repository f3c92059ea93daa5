import { useEffect, useMemo, useReducer, type ReactNode } from 'react';
import { readDraft, writeDraft } from './state/draft.ts';
import { wizardReducer } from './state/reducer.ts';
import { WizardContext } from './WizardContext.ts';

const KEY = 'holdfast.wizard';

/** Holds the wizard's state above the routes, so that a look at History loses nothing; the draft survives a reload. */
export function WizardProvider({ children }: { readonly children: ReactNode }) {
  const [state, dispatch] = useReducer(wizardReducer, null, () => readDraft(sessionStorage.getItem(KEY)));
  useEffect(() => sessionStorage.setItem(KEY, writeDraft(state)), [state]);
  const wizard = useMemo(() => ({ state, dispatch }), [state]);
  return <WizardContext value={wizard}>{children}</WizardContext>;
}
