import { parseJsonPath, findValueAt } from '#core/work/bodyCheck/jsonPath.ts';
import type { BodyCheck } from '#core/plan/schema/step.ts';
import { type CheckCode, checkError, checkLabel } from '#core/work/bodyCheck/errorTexts.ts';
import { pageFault } from '#core/work/bodyCheck/pageFault.ts';
import type { Response } from '../sideRecorder.ts';
import type { ResponseReader, SeenResponse } from './keptResponse.ts';
import { type CheckedResponse, textOf, UnreadableBody } from './decodeBody.ts';
import { PatternSearch } from './patternSearch.ts';

type Judge = (response: CheckedResponse, read: () => string) => string | null;

/** The prepared checks of one step. They share the decoded body, so that it is decompressed only once. */
export class StepChecks implements ResponseReader {
  readonly needsBody: boolean;
  readonly readsAll = false;
  readonly captured = [];
  private readonly judges: readonly Judge[];

  /** Expects valid patterns and paths: the validation of the plan refuses all others. */
  constructor(checks: readonly BodyCheck[], fill: (check: BodyCheck) => BodyCheck = (check) => check) {
    this.needsBody = checks.some(({ kind }) => kind !== 'size');
    // Failures are named after the plan's text and not after filled-in values, which limits the number of names.
    this.judges = checks.map((check) => toJudge(fill(check), checkLabel(check)));
  }

  read(response: Response, seen: SeenResponse): void {
    response.failedCheck = this.findFirstFailure(
      seen,
      () => seen.text(),
      () => (response.isUnchecked = true),
    );
  }

  /**
   * Returns the name of the first failed check, under which it is counted; null if all checks pass. `onUnchecked` is called for each check
   * that could not be made because there was no room to keep the body; such a check does not fail.
   */
  findFirstFailure(response: CheckedResponse, read: () => string = textReader(response), onUnchecked?: () => void): string | null {
    for (const judge of this.judges) {
      try {
        const failure = judge(response, read);
        if (failure !== null) return failure;
      } catch (thrown) {
        if (!(thrown instanceof UnreadableBody)) throw thrown;
        if (thrown.code !== 'NOT_KEPT' || onUnchecked === undefined) return checkError(thrown.code, thrown.label);
        onUnchecked();
      }
    }
    return null;
  }
}

function textReader(response: CheckedResponse): () => string {
  let text: string | null = null;
  return () => (text ??= textOf(response));
}

function toJudge(check: BodyCheck, label: string): Judge {
  const failed = (code: CheckCode): string => checkError(code, label);
  switch (check.kind) {
    case 'contains': {
      const failure = failed(check.not ? 'TEXT_PRESENT' : 'TEXT_MISSING');
      return (_response, read) => (read().includes(check.text) === check.not ? failure : null);
    }
    case 'matches': {
      const failure = failed(check.not ? 'MATCH' : 'NO_MATCH');
      const pattern = new RegExp(check.pattern, check.flags);
      const search = new PatternSearch(check.pattern, check.flags);
      return (_response, read) => {
        const text = read();
        return search.runWithinTime(text, () => pattern.test(text)) === check.not ? failure : null;
      };
    }
    case 'json':
      return judgeOfJson(check, failed('NOT_JSON'), failed('JSON_DIFFERS'));
    case 'page':
      return (_response, read) => {
        const fault = pageFault(read(), check);
        return fault === null ? null : checkError(fault.code, fault.label);
      };
    case 'size': {
      const { minBytes = 0, maxBytes = Number.POSITIVE_INFINITY } = check;
      const [small, large] = [failed('TOO_SMALL'), failed('TOO_LARGE')];
      return ({ bodyBytes }) => {
        if (bodyBytes < minBytes) return small;
        return bodyBytes > maxBytes ? large : null;
      };
    }
    default:
      return check satisfies never;
  }
}

function judgeOfJson(check: Extract<BodyCheck, { kind: 'json' }>, notJson: string, differs: string): Judge {
  const path = parseJsonPath(check.path) ?? [];
  return (_response, read) => {
    let value: unknown;
    try {
      value = JSON.parse(read());
    } catch (thrown) {
      if (thrown instanceof UnreadableBody) throw thrown;
      return notJson;
    }
    const found = findValueAt(value, path);
    const holds = check.equals === undefined ? found !== undefined : found === check.equals;
    return holds === check.not ? differs : null;
  };
}
