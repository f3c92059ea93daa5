const SECRET_HEADER = /authorization|cookie|token|(^|-)key$|api-?key|secret|password|session|csrf|xsrf|credential|signature/i;
const SECRET_FIELD = /pass(word|wd|code|phrase)?$|pwd|secret|token|api[-_]?key|credential|csrf|xsrf|^pin$|^sig(nature)?$/i;
/** A JSON Web Token, or what stands behind the name of a scheme of authentication. */
const SECRET_VALUE = /^(?:eyJ[\w-]{8,}\.|Bearer |Basic |Token )/;

export function isSecretHeader(name: string, value: string): boolean {
  return SECRET_HEADER.test(name) || SECRET_VALUE.test(value);
}

/** A field of a form, a parameter of an address, a member of JSON. */
export function isSecretField(name: string): boolean {
  return SECRET_FIELD.test(name);
}
