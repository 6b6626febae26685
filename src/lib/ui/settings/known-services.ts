// Services and servers that speak the OpenAI protocol, with the addresses that their documentation gives. A start for the form;
// everything can be changed there.

export interface KnownService {
	readonly name: string;
	readonly baseUrl: string;
	readonly needsKey: boolean;
}

export const knownServices: readonly KnownService[] = [
	{ name: 'OpenAI', baseUrl: 'https://api.openai.com/v1', needsKey: true },
	{ name: 'OpenRouter', baseUrl: 'https://openrouter.ai/api/v1', needsKey: true },
	{ name: 'DeepSeek', baseUrl: 'https://api.deepseek.com/v1', needsKey: true },
	{ name: 'Groq', baseUrl: 'https://api.groq.com/openai/v1', needsKey: true },
	{ name: 'Mistral', baseUrl: 'https://api.mistral.ai/v1', needsKey: true },
	{ name: 'Together', baseUrl: 'https://api.together.xyz/v1', needsKey: true },
	{ name: 'Ollama', baseUrl: 'http://localhost:11434/v1', needsKey: false },
	{ name: 'LM Studio', baseUrl: 'http://localhost:1234/v1', needsKey: false },
	{ name: 'llama.cpp', baseUrl: 'http://localhost:8080/v1', needsKey: false }
];
