// The API of a model, on the loopback interface, that asks for the tool calls of a list, one
// after the other, and keeps what the client sends back: a real client decides about each
// call as it always does. Each function answers one request; see serve.
import http from "node:http";
import zlib from "node:zlib";

// serve starts the API of a client and returns its port, the results so far, and close.
export function serve(client, calls) {
  const results = [];
  const server = http.createServer((request, response) => {
    const parts = [];
    request.on("data", part => parts.push(part));
    request.on("end", () => {
      let body = Buffer.concat(parts);
      const encoding = request.headers["content-encoding"];
      if (encoding === "zstd") body = zlib.zstdDecompressSync(body);
      if (encoding === "gzip") body = zlib.gunzipSync(body);
      let json = {};
      try { json = JSON.parse(body.toString()); } catch { /* a request without a body */ }
      apis[client](request, json, response, calls, results);
    });
  });
  return new Promise(resolve => server.listen(0, "127.0.0.1", () =>
    resolve({port: server.address().port, results, close: () => server.close()})));
}

const send = (response, value) => {
  response.writeHead(200, {"content-type": "application/json"});
  response.end(JSON.stringify(value));
};

const stream = (response, events) => {
  response.writeHead(200, {"content-type": "text/event-stream"});
  for (const e of events) response.write((e.type ? `event: ${e.type}\n` : "") + `data: ${JSON.stringify(e)}\n\n`);
  response.end();
};

// keep stores the result of call n, once.
const keep = (results, n, result) => { if (n >= 0 && results[n] === undefined) results[n] = result; };

const apis = {
  // Messages of Anthropic's API.
  claude(request, json, response, calls, results) {
    if (!request.url.includes("/messages") || request.url.includes("count_tokens")) return send(response, {input_tokens: 10});
    const content = (json.messages || []).flatMap(m => Array.isArray(m.content) ? m.content.map(c => ({...c, role: m.role})) : []);
    const done = content.filter(c => c.role === "assistant" && c.type === "tool_use").length;
    const last = content.filter(c => c.type === "tool_result").at(-1);
    if (last) keep(results, done - 1, {error: !!last.is_error, text: textOf(last.content)});
    const call = (json.tools || []).some(t => t.name === "Bash") ? calls[done] : undefined;
    const block = call ? {type: "tool_use", id: `toolu_${done}`, name: call.name, input: {}} : {type: "text", text: ""};
    const message = {id: `msg_${Date.now()}`, type: "message", role: "assistant", model: json.model || "m", content: [], stop_reason: null, stop_sequence: null, usage: {input_tokens: 10, output_tokens: 1}};
    const reason = call ? "tool_use" : "end_turn";
    if (!json.stream) return send(response, {...message, content: [call ? {...block, input: call.input} : {type: "text", text: "done"}], stop_reason: reason});
    stream(response, [
      {type: "message_start", message}, {type: "content_block_start", index: 0, content_block: block},
      {type: "content_block_delta", index: 0, delta: call ? {type: "input_json_delta", partial_json: JSON.stringify(call.input)} : {type: "text_delta", text: "done"}},
      {type: "content_block_stop", index: 0}, {type: "message_delta", delta: {stop_reason: reason, stop_sequence: null}, usage: {output_tokens: 5}}, {type: "message_stop"},
    ]);
  },

  // Responses of OpenAI's API.
  codex(request, json, response, calls, results) {
    if (!request.url.includes("/responses")) { response.writeHead(404); return response.end("{}"); }
    const outputs = (json.input || []).filter(i => i.type?.endsWith("_output"));
    const n = outputs.length;
    if (n) keep(results, n - 1, {text: textOf(outputs.at(-1).output)});
    const call = calls[n];
    const item = call
      ? {type: "function_call", id: `fc${n}`, call_id: `c${n}`, name: call.name, arguments: JSON.stringify(call.input), ...(call.ns ? {namespace: call.ns} : {})}
      : {type: "message", id: "m", role: "assistant", content: [{type: "output_text", text: "done"}]};
    const usage = {input_tokens: 1, input_tokens_details: null, output_tokens: 1, output_tokens_details: null, total_tokens: 2};
    stream(response, [{type: "response.created", response: {id: `r${n}`}}, {type: "response.output_item.done", output_index: 0, item}, {type: "response.completed", response: {id: `r${n}`, usage}}]);
  },

  // generateContent of Google's API.
  gemini(request, json, response, calls, results) {
    if (!request.url.includes("enerateContent")) return send(response, {totalTokens: 5});
    const tools = (json.tools || []).flatMap(t => t.functionDeclarations || []);
    const answers = (json.contents || []).flatMap(c => c.parts || []).filter(p => p.functionResponse);
    if (answers.length) keep(results, answers.length - 1, {text: textOf(answers.at(-1).functionResponse.response)});
    const call = tools.length ? calls[answers.length] : undefined;
    const part = call ? {functionCall: {name: call.name, args: call.input, id: `c${answers.length}`}} : {text: tools.length ? "done" : "{}"};
    const answer = {candidates: [{content: {role: "model", parts: [part]}, finishReason: "STOP", index: 0}], usageMetadata: {promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2}};
    if (request.url.includes("stream")) return stream(response, [answer]);
    send(response, answer);
  },
};

// textOf returns what a model reads of a tool's result.
function textOf(content) {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(c => c.text ?? JSON.stringify(c)).join("\n");
  return content?.output ?? content?.error ?? JSON.stringify(content);
}
