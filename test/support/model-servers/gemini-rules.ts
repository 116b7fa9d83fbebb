import { checkImage, checkKeys, checkText, checkToolName, type Loose, refusalOf, refuse } from './check.ts';
import { geminiCallText, type ServerRequest, type ServerRules, signatureOf } from './script.ts';

const bodyKeys = [
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
  'safetySettings',
];
const skipSentinel = 'skip_thought_signature_validator';

export function refuseGemini({ body, headers, path }: ServerRequest, rules: ServerRules): string | undefined {
  return refusalOf(() => {
    if (!headers['x-goog-api-key'])
      refuse("Method doesn't allow unregistered callers (callers without established identity).");
    checkKeys(body, bodyKeys, 'body');
    if (body.systemInstruction)
      checkParts(body.systemInstruction.parts, { where: 'systemInstruction', rules });
    for (const tool of body.tools ?? []) {
      checkKeys(tool, ['functionDeclarations'], 'tools');
      if (!tool.functionDeclarations?.length) refuse('tools: functionDeclarations must not be empty');
      for (const declaration of tool.functionDeclarations) {
        checkKeys(
          declaration,
          ['name', 'description', 'parameters', 'parametersJsonSchema'],
          'functionDeclarations',
        );
        checkToolName(declaration.name, 'functionDeclarations.name');
        checkDeclared(declaration.parameters, 'functionDeclarations.parameters');
      }
    }
    // Older models take calls without a signature.
    const needsSignature = !/models\/gemini-[12]\./.test(path);
    checkContents(body.contents, { rules, needsSignature });
  });
}

/** The schema dialect of `parameters` is a part of OpenAPI 3.0; anything else is refused. */
function checkDeclared(schema: Loose, where: string): void {
  if (schema === undefined) return;
  const keys = [
    'type',
    'format',
    'title',
    'description',
    'nullable',
    'enum',
    'maxItems',
    'minItems',
    'properties',
    'required',
    'minProperties',
    'maxProperties',
    'minLength',
    'maxLength',
    'pattern',
    'example',
    'anyOf',
    'propertyOrdering',
    'default',
    'items',
    'minimum',
    'maximum',
  ];
  for (const key of Object.keys(schema)) {
    if (!keys.includes(key))
      refuse(`Invalid JSON payload received. Unknown name "${key}" at '${where}': Cannot find field.`);
  }
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    checkDeclared(property, `${where}.${name}`);
  if (schema.items) checkDeclared(schema.items, `${where}.items`);
  for (const option of schema.anyOf ?? []) checkDeclared(option, `${where}.anyOf`);
}

function checkContents(
  contents: Loose,
  { rules, needsSignature }: { rules: ServerRules; needsSignature: boolean },
): void {
  if (!Array.isArray(contents) || contents.length === 0) refuse('contents are required');
  if (contents[0].role !== 'user') refuse('Please ensure that the first content has role user.');
  let open: string[] = [];
  for (const [index, content] of contents.entries()) {
    const where = `contents[${index}]`;
    checkKeys(content, ['role', 'parts'], where);
    checkParts(content.parts, { where, rules });
    const calls = content.parts.filter((part: Loose) => part.functionCall);
    const responses = content.parts.filter((part: Loose) => part.functionResponse);
    if (content.role === 'model') {
      if (open.length > 0) refuse(`${where}: function calls are not answered`);
      if (calls.length > 0 && contents[index - 1]?.role !== 'user') {
        refuse(
          'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
        );
      }
      if (calls.length > 0) checkCallSignatures(calls, { where, needsSignature });
      open = calls.map((part: Loose) => part.functionCall.name);
    } else if (content.role === 'user') {
      const names = responses.map((part: Loose) => part.functionResponse.name);
      if (names.length !== open.length) {
        refuse(
          'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
        );
      }
      if (names.join() !== open.join())
        refuse(`${where}: responses ${names.join()} do not answer calls ${open.join()}`);
      open = [];
    } else refuse(`${where}: Please use a valid role: user, model.`);
  }
  if (open.length > 0) refuse('the last function calls are not answered');
  if (contents.at(-1).role !== 'user')
    refuse('Please ensure that single turn requests end with a user role.');
}

function checkCallSignatures(
  calls: Loose[],
  { where, needsSignature }: { where: string; needsSignature: boolean },
): void {
  if (needsSignature && calls[0].thoughtSignature === undefined) {
    refuse(
      `${where}: Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.`,
    );
  }
  for (const { functionCall, thoughtSignature } of calls) {
    if (thoughtSignature === undefined || thoughtSignature === skipSentinel) continue;
    if (thoughtSignature !== signatureOf('gemini', geminiCallText(functionCall.name, functionCall.args))) {
      refuse(`${where}: Thought signature is not valid.`);
    }
  }
}

function checkParts(parts: Loose, { where, rules }: { where: string; rules: ServerRules }): void {
  if (!Array.isArray(parts) || parts.length === 0) refuse(`${where}: must include at least one parts field`);
  for (const part of parts) {
    const keys = ['text', 'thought', 'thoughtSignature', 'functionCall', 'functionResponse', 'inlineData'];
    checkKeys(part, keys, where);
    if (part.functionCall) {
      checkKeys(part.functionCall, ['id', 'name', 'args'], where);
      checkToolName(part.functionCall.name, where);
      const { args } = part.functionCall;
      if (typeof args !== 'object' || args === null || Array.isArray(args))
        refuse(`${where}: args must be a struct`);
    } else if (part.functionResponse) {
      checkKeys(part.functionResponse, ['id', 'name', 'response', 'parts'], where);
      if (typeof part.functionResponse.response !== 'object') refuse(`${where}: response must be a struct`);
      for (const inner of part.functionResponse.parts ?? []) {
        checkImage(inner.inlineData?.mimeType, inner.inlineData?.data, where);
      }
    } else if (part.inlineData) checkImage(part.inlineData.mimeType, part.inlineData.data, where);
    else {
      if (!(part.thoughtSignature && part.text === '')) checkText(part.text, where);
      if (part.thoughtSignature !== undefined && !rules.issued.has(part.thoughtSignature)) {
        if (part.thoughtSignature !== signatureOf('gemini', part.text))
          refuse(`${where}: Thought signature is not valid.`);
      }
    }
  }
}
