/** An A2A 0.3 card with one skill, as an agent's domain serves it. */
export function cardOf(name: string, description: string): Record<string, unknown> {
  return {
    name,
    description,
    url: 'https://agents.example.com/a2a',
    version: '1.0.0',
    protocolVersion: '0.3.0',
    capabilities: {},
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'ocr', name: 'OCR', description: 'Reads text in images.', tags: ['ocr'] }],
  };
}
