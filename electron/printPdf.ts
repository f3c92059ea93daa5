import { randomUUID } from 'node:crypto';
import { BrowserWindow, session } from 'electron';
import { confineNavigation } from './navigation.ts';
import { pageScheme } from './page.ts';
import { denyPermissions } from './permissions.ts';

const reportAddress = `${pageScheme}://report/`;
/** Content security policy under which the document loads nothing and runs nothing, whatever it contains. */
const policy = "default-src 'none'; style-src 'unsafe-inline'";

/**
 * Prints an HTML document as a tagged PDF, on the paper size that its style sets, with its headings as outline. The document is rendered
 * invisibly, in a session that has no access to other addresses or to storage.
 */
export async function printPdf(html: string): Promise<Uint8Array> {
  const ownSession = session.fromPartition(`report-${randomUUID()}`);
  denyPermissions(ownSession);
  ownSession.protocol.handle(pageScheme, ({ url }) =>
    url === reportAddress
      ? new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy } })
      : new Response(null, { status: 404 }),
  );
  const window = new BrowserWindow({ show: false, webPreferences: { ...SCRIPTLESS_PREFERENCES, session: ownSession } });
  confineNavigation(window.webContents);
  try {
    await window.loadURL(reportAddress);
    return await window.webContents.printToPDF({
      preferCSSPageSize: true,
      printBackground: true,
      generateTaggedPDF: true,
      generateDocumentOutline: true,
    });
  } finally {
    window.destroy();
    // Without this call, the session's handler would keep the document in memory, because the session lives as long as the app.
    ownSession.protocol.unhandle(pageScheme);
  }
}

const SCRIPTLESS_PREFERENCES = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  javascript: false,
  webviewTag: false,
  spellcheck: false,
} as const;
