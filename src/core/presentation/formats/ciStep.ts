import { stringify } from 'yaml';
import { readReference, type SecretReference } from '#core/plan/secretReference.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { listHiddenReferences, mapTexts } from '#core/plan/hiddenText.ts';
import { listAsks, needsAgreement } from '#core/review/asks/ask.ts';
import { visibleKey } from '#core/review/asks/labels.ts';

/** Services that run builds. */
export const FORGES = ['github', 'gitlab'] as const;
export type Forge = (typeof FORGES)[number];

/** Path of the plan in the repository. `holdfast init` writes the same file. */
export const PLAN_FILE = 'load/plan.yaml';

/** Requirements of a build besides its step, which a person must provide. */
export interface CiNeeds {
  /** Names of environment variables that contain secrets. */
  readonly environment: readonly string[];
  /** Files and folders that must be in the repository. */
  readonly files: readonly string[];
  /** Whether the plan has secrets that a person entered. A build cannot ask for them. */
  readonly hasEnteredSecrets: boolean;
}

/**
 * Returns the step of a build that runs the plan in {@link PLAN_FILE}, as YAML: with the plan file, the permissions of the plan, and the
 * default branch as its baseline. Uses `action.yml` or `templates/load-test.yml` of Holdfast's repository.
 */
export function formatCiStep(forge: Forge, plan: Plan): string {
  const allow = listAsks({ plan }).filter(needsAgreement).map(visibleKey).join('\n');
  const inputs = { plan: PLAN_FILE, ...(allow === '' ? {} : { allow: escapeExpressions(forge, allow) }), baseline: 'branch' };
  const { environment } = listCiNeeds(plan);
  switch (forge) {
    case 'github':
      return formatYaml([
        {
          uses: 'OWNER/holdfast@main',
          ...(environment.length === 0 ? {} : { env: Object.fromEntries(environment.map((name) => [name, `\${{ secrets.${name} }}`])) }),
          with: inputs,
        },
      ]);
    case 'gitlab':
      return formatYaml({
        include: [
          {
            component: '$CI_SERVER_FQDN/OWNER/holdfast/load-test@main',
            inputs: { repository: '$CI_SERVER_URL/OWNER/holdfast.git', ...inputs },
          },
        ],
      });
    default:
      return forge satisfies never;
  }
}

/** Returns the requirements of a build besides its step. */
export function listCiNeeds(plan: Plan): CiNeeds {
  const asks = listAsks({ plan });
  const namesOf = (kind: 'env' | 'file'): string[] => asks.filter((ask) => ask.kind === kind).map(({ name }) => name);
  return {
    environment: namesOf('env'),
    files: namesOf('file'),
    hasEnteredSecrets: listHiddenReferences(plan).length > 0 || hasReference(plan, 'ask') || hasReference(plan, 'session'),
  };
}

function hasReference(plan: Plan, kind: SecretReference['kind']): boolean {
  let isFound = false;
  mapTexts(plan, (text) => {
    isFound ||= readReference(text)?.kind === kind;
    return text;
  });
  return isFound;
}

/** Keeps the forge from evaluating names of the plan: GitHub reads `${{`, GitLab reads `$NAME` and `$[[`. */
function escapeExpressions(forge: Forge, text: string): string {
  return forge === 'github' ? text.replaceAll('${{', "${{ '${{' }}") : text.replaceAll('$', '$$$$');
}

function formatYaml(value: object): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}
