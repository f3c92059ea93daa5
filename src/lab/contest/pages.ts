import { escapeHtml } from '../web/html.ts';
import { type Frame, FULL_TIMESTAMP_LENGTH, layout } from './layout.ts';
import { languageFields, type Languages, type Task } from './tasks.ts';
import { statusOf, type Submission } from './state.ts';

/** Size of a task's page in bytes with a timestamp of full length, from the report of BOI 2014. */
export const DESCRIPTION_BYTES = 6_844;

export function loginPage(frame: Frame, next: string, failed: boolean): string {
  const warning = failed ? '<div class="alert alert-error"><h4>Failed to log in.</h4></div>\n' : '';
  return layout(
    frame,
    `${warning}<h2>Log in</h2>
<form action="/login" method="POST">
<input type="hidden" name="_xsrf" value="${frame.xsrf}">
<input type="hidden" name="next" value="${escapeHtml(next)}">
<label>User name <input type="text" name="username" autocomplete="username"></label>
<label>Password <input type="password" name="password" autocomplete="current-password"></label>
<button type="submit">Log in</button>
</form>`,
  );
}

export function registerPage(frame: Frame): string {
  return layout(
    frame,
    `<h2>Register</h2>
<form action="/register" method="POST">
<input type="hidden" name="_xsrf" value="${frame.xsrf}">
<input type="hidden" name="new_user" value="true">
<label>First name <input type="text" name="first_name"></label>
<label>Last name <input type="text" name="last_name"></label>
<label>User name <input type="text" name="username" autocomplete="username"></label>
<label>Password <input type="password" name="password" autocomplete="new-password"></label>
<button type="submit">Register</button>
</form>`,
  );
}

const START_BUTTON = '<button type="submit">Start!</button>';

/**
 * Returns the overview page. `words` are texts about the state of the contest. `mayStart` says whether the page has the button with which
 * the contestant starts.
 */
export function overviewPage(frame: Frame, tasks: readonly Task[], words: readonly string[], mayStart: boolean): string {
  const rows = tasks.map(
    (task) =>
      `<tr><td><a href="/tasks/${task.name}/description">${task.title}</a></td><td>${task.timeLimitSeconds} s</td><td>${task.memoryLimitMebibytes} MiB</td></tr>`,
  );
  return layout(
    frame,
    `<h2>Overview</h2>
${words.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}
${mayStart ? `<form action="/start" method="POST"><input type="hidden" name="_xsrf" value="${frame.xsrf}">${START_BUTTON}</form>` : ''}
<table>
<tr><th>Task</th><th>Time limit</th><th>Memory limit</th></tr>
${rows.join('\n')}
</table>`,
  );
}

export function descriptionPage(frame: Frame, task: Task, language: string): string {
  const statement = task.statement.map((paragraph) => `<p>${paragraph}</p>`).join('\n');
  const main = `<h2>${task.title}: statement</h2>
<p><a href="/tasks/${task.name}/statements/${language}">Read it as a PDF</a></p>
${statement}
<table>
<tr><th>Time limit</th><td>${task.timeLimitSeconds} s</td></tr>
<tr><th>Memory limit</th><td>${task.memoryLimitMebibytes} MiB</td></tr>
</table>
<h3>Attachments</h3>
`;
  return padPage(frame, main, DESCRIPTION_BYTES);
}

/** Pads the page to `bytes`, whatever the length of the user's name. Only a short timestamp makes the page one byte shorter. */
function padPage(frame: Frame, main: string, bytes: number): string {
  const measured = layout({ ...frame, timestamp: '0'.repeat(FULL_TIMESTAMP_LENGTH) }, main);
  const missing = bytes - Buffer.byteLength(measured);
  return layout(frame, `${main}${fillerHtml(missing)}`);
}

const SENTENCE = 'This paragraph stands where a real contest lists its sample inputs, its subtasks and their points. ';

function fillerHtml(bytes: number): string {
  const frame = '<p></p>'.length;
  const length = Math.max(0, bytes - frame);
  return `<p>${SENTENCE.repeat(Math.ceil(length / SENTENCE.length)).slice(0, length)}</p>`;
}

const SHOWN_SUBMISSIONS = 20;

export function submissionsPage(
  frame: Frame,
  task: Task,
  submissions: readonly Submission[],
  evaluationMs: number,
  nowMs: number,
  form: SubmitForm | null,
): string {
  const rows = submissions
    .slice(-SHOWN_SUBMISSIONS)
    .toReversed()
    .map(
      (submission) =>
        `<tr data-submission="${submission.number}"><td>${submission.number}</td><td>${new Date(submission.submittedAtMs).toISOString()}</td><td>${statusOf(submission, evaluationMs, nowMs).status_text}</td></tr>`,
    );
  return layout(
    frame,
    `<h2>${task.title}: submissions</h2>
${form === null ? '' : submitForm(frame, task, form)}
<table>
<tr><th>Number</th><th>Time</th><th>Status</th></tr>
${rows.join('\n')}
</table>`,
  );
}

/** Files and languages in the submission form of a task. */
interface SubmitForm {
  readonly files: readonly string[];
  readonly languages: Languages;
}

function submitForm(frame: Frame, task: Task, { files, languages }: SubmitForm): string {
  const begin = `<form action="/tasks/${task.name}/submit" method="POST" enctype="multipart/form-data">
<input type="hidden" name="_xsrf" value="${frame.xsrf}">`;
  const end = '<button type="submit">Submit</button>\n</form>';
  const fields = files.map((name) => `<label>${name} <input type="file" name="${name}"></label>`);
  // CMS also accepts several files as one archive.
  const archive = files.length === 1 ? '' : `\n${begin}\n<label>All in a zip file <input type="file" name="submission"></label>\n${end}`;
  return `${begin}\n${fields.join('\n')}\n${languageFields(languages, files)}${end}${archive}`;
}

export function communicationPage(frame: Frame): string {
  return layout(
    frame,
    `<h2>Communication</h2>
<form action="/question" method="POST">
<input type="hidden" name="_xsrf" value="${frame.xsrf}">
<label>Subject <input type="text" name="question_subject" maxlength="50"></label>
<label>Text <textarea name="question_text"></textarea></label>
<button type="submit">Ask</button>
</form>`,
  );
}

export function messagePage(frame: Frame, message: string): string {
  return layout(frame, `<h2>${escapeHtml(message)}</h2>`);
}
