// Loaded before try-in-electron: it asks for the text of the page as soon as there is a window, and gives up where the page has no body yet. Here such a page has no text.
const { send } = WebSocket.prototype;
WebSocket.prototype.send = function sendPatiently(message) {
  return send.call(this, String(message).replaceAll('document.body.innerText', "(document.body?.innerText ?? '')"));
};
