import { parseJson } from '#core/base/json.ts';
import { hideInAddress, holdsSecret } from '#core/plan/hideSecrets.ts';
import { isSecretHeader } from '#core/plan/secretShapes.ts';
import { draftSchema, EMPTY_STATE, stateOf, type WizardState } from './types.ts';

/**
 * Serializes the draft. Responses from the backend are left out, because they may be outdated after a reload. Plain-text values that may be
 * secrets are left out, too. The user must enter those again, or open the plan that contains them again.
 */
export function writeDraft(state: WizardState): string {
  const { probes: _probes, login: _login, ...draft } = state;
  const targets = draft.targets.map((target) => ({
    ...target,
    url: withoutSecretParameters(target.url),
    headers: target.headers.map((header) =>
      header.value.kind === 'clear' && isSecretHeader(header.name, header.value.text)
        ? { ...header, value: { kind: 'toKeep' as const } }
        : header,
    ),
  }));
  const isOpen = draft.source?.kind === 'plan' && holdsSecret(draft.source.plan);
  const watchPages = draft.choices.watchPages?.map((page) => ({ ...page, url: withoutSecretParameters(page.url) }));
  return JSON.stringify({
    version: 4,
    ...draft,
    targets,
    choices: { ...draft.choices, watchPages: isOpen ? undefined : watchPages },
    ...(isOpen ? { source: null, entries: {}, reached: 'question' } : {}),
  });
}

function withoutSecretParameters(url: string): string {
  return hideInAddress(url, () => '');
}

/** Parses a stored draft. Returns the empty state if there is no valid draft. */
export function readDraft(text: string | null): WizardState {
  if (text === null) return EMPTY_STATE;
  const parsed = draftSchema.safeParse(parseJson(text));
  return parsed.success ? stateOf(parsed.data) : EMPTY_STATE;
}
