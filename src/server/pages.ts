/**
 * Pages for people who come without a way in. They hold no script and no style, so they need no exception from the policy,
 * and an empty icon, so that the browser does not come back for one.
 */
function page(title: string, paragraphs: readonly string[]): string {
  const body = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n');
  return `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><link rel="icon" href="data:,"><title>${title}</title></head>\n<body>\n<h1>${title}</h1>\n${body}\n</body>\n</html>\n`;
}

export const wrongHost = page('Wrong address', [
  'Holdfast answers only under 127.0.0.1, so that pages on the internet cannot reach it through your browser. Open the address that it printed where it was started.',
]);

export const notFound = page('Not found', ['There is no such file in Holdfast. <a href="/">Go to its first page</a>.']);

export const onlyGet = page('Only GET', [
  'Holdfast serves its page here and takes nothing. Everything else goes through its own connection.',
]);
