import type { Issue } from '#core/plan/issues.ts';
import type { Step } from '#core/plan/schema/plan.ts';
import { checkBodyInClear } from './headers.ts';
import { error, warning } from './make.ts';

const SECRET_FIELD = /pass(word|wd|code)?$|secret|token|api_?key|^pin$/i;

/** What a step sends behind its head. */
export function checkPayload(step: Step, path: string): Issue[] {
  const { body, form, method } = step;
  const given = (['body', 'form', 'multipart', 'json'] as const).filter((name) => step[name] !== undefined);
  const issues: Issue[] = [];
  if (given.length > 1) {
    issues.push(
      error(
        'TWO_BODIES',
        `${path}.${given[1] ?? ''}`,
        `A request cannot have a ${given.join(' and a ')}.`,
        'Leave one of them: form, multipart and json make the body.',
      ),
    );
  }
  const [first] = given;
  if (first !== undefined && ['GET', 'HEAD', 'OPTIONS'].includes(method)) {
    issues.push(
      warning(
        'BODY_WITHOUT_MEANING',
        `${path}.${first}`,
        `A body has no meaning in ${method}.`,
        'Use POST, PUT or PATCH, or leave the body out; many servers answer 400.',
      ),
    );
  }
  return [...issues, ...checkBodyInClear(body, `${path}.body`), ...checkFormInClear(form, `${path}.form`)];
}

function checkFormInClear(form: Step['form'], path: string): Issue[] {
  return Object.entries(form ?? {}).flatMap(([name, value]) =>
    SECRET_FIELD.test(name) && value !== '' && !value.includes('{{')
      ? [
          warning(
            'SECRET_IN_CLEAR',
            `${path}.${name}`,
            `The field ${name} looks like a secret and is written in clear.`,
            'Add a variable of the kind secret, for example variables: {password: {kind: secret, secret: env:PASSWORD}}, and write {{password}} here.',
          ),
        ]
      : [],
  );
}
