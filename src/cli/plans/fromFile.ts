import { dirname, resolve } from 'node:path';
import { isBlock } from '#core/base/json.ts';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import type { Issue } from '#core/plan/issues.ts';
import { parseValue } from '#core/review/check.ts';
import { readYaml } from '#core/plan/readYaml.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { checkFeeds } from '#backend/services/runs/readFiles.ts';
import type { Access } from './access.ts';
import { setFields } from './fields.ts';
import type { Settings } from './settings.ts';
import type { PlanSource } from './source.ts';
import type { CliContext } from '../context.ts';

/** Reads a plan and applies the settings before validation. Never throws for invalid text. */
export function planFromFile(text: string, settings: Settings, access: Access): { plan: Plan | null; issues: readonly Issue[] } {
  const read = readYaml(text);
  if (read.issues.length > 0) return { plan: null, issues: read.issues };
  const written = read.value;
  // A document that is not a map is reported by the plan parser.
  if (!isBlock(written)) return parseValue(written);
  const issues = setFields(written, settings.fields);
  applyAccess(written, settings, access);
  setNamedTargets(written, settings);
  const parsedPlan = parseValue(written);
  return { plan: issues.length > 0 ? null : parsedPlan.plan, issues: [...issues, ...parsedPlan.issues] };
}

/**
 * Replaces the targets of the plan by the given addresses. Each new target keeps all other settings of the plan's first target. Cookies and
 * headers apply to every target. If a target redirects visitors to another address, only the target's address is replaced.
 */
function applyAccess(plan: Record<string, unknown>, { targets: urls, movedTo }: Settings, access: Access): void {
  const written: unknown[] = Array.isArray(plan['targets']) ? plan['targets'] : [];
  const first = isBlock(written[0]) ? written[0] : {};
  const { name: _, ...usual } = first;
  const targets = urls.length > 0 ? urls.map((url) => ({ ...usual, url })) : written;
  const addAccess = (target: unknown, index: number): unknown =>
    isBlock(target)
      ? {
          ...target,
          ...(movedTo?.[index] === undefined ? {} : { url: movedTo[index] }),
          headers: { ...(isBlock(target['headers']) ? target['headers'] : {}), ...access.headers },
          ...(access.cookie === undefined ? {} : { cookie: access.cookie }),
        }
      : target;
  if (targets.length > 0) plan['targets'] = targets.map(addAccess);
}

/** Replaces the addresses of named targets and keeps their headers. */
export function setNamedTargets(plan: Record<string, unknown>, { namedTargets: urls }: Settings): void {
  if (urls.size === 0) return;
  const named: Record<string, unknown> = isBlock(plan['namedTargets']) ? plan['namedTargets'] : {};
  for (const [name, url] of urls) {
    const written = getOwn(named, name);
    setOwn(named, name, isBlock(written) ? { ...written, url } : url);
  }
  plan['namedTargets'] = named;
}

/** Resolves the file paths of a plan file against its folder. A preset has no such paths. */
export function resolvePlanFiles(plan: Plan, source: PlanSource, { currentDirectory }: Pick<CliContext, 'currentDirectory'>): Plan {
  return source.kind === 'preset' ? plan : resolveFilePaths(plan, resolve(currentDirectory, source.path));
}

/** Resolves paths of feeds and uploads against the folder of the plan file. */
function resolveFilePaths(plan: Plan, planFile: string): Plan {
  const folder = dirname(planFile);
  const feeds = Object.fromEntries(
    Object.entries(plan.feeds ?? {}).map(([name, feed]) => [name, { ...feed, file: resolve(folder, feed.file) }]),
  );
  const { journey, populate } = plan;
  return {
    ...plan,
    journey: resolveStepFiles(journey, folder),
    ...(plan.feeds === undefined ? {} : { feeds }),
    ...(populate === undefined
      ? {}
      : {
          populate: {
            ...populate,
            ...(populate.journey === undefined ? {} : { journey: resolveStepFiles(populate.journey, folder) }),
            ...(populate.remove === undefined ? {} : { remove: resolveStepFiles(populate.remove, folder) }),
          },
        }),
  };
}

function resolveStepFiles(steps: Plan['journey'], folder: string): Plan['journey'] {
  return steps.map((step) => ({
    ...step,
    ...(step.bodyFile === undefined ? {} : { bodyFile: resolve(folder, step.bodyFile) }),
    ...(step.multipart === undefined ? {} : { multipart: step.multipart.map((part) => resolvePart(part, folder)) }),
  }));
}

function resolvePart(part: NonNullable<Step['multipart']>[number], folder: string): NonNullable<Step['multipart']>[number] {
  if ('file' in part) return { ...part, file: resolve(folder, part.file) };
  return 'folder' in part ? { ...part, folder: resolve(folder, part.folder) } : part;
}

/** Returns the issues of a plan's feeds: missing files, missing columns, too few rows for the plan's users. */
export async function feedIssues(plan: Plan, planFile: string): Promise<Issue[]> {
  const { problems } = await checkFeeds(resolveFilePaths(plan, planFile));
  return problems.map(({ message, hint }) => ({ level: 'error', code: 'FEED_UNUSABLE', path: 'feeds', message, hint }));
}
