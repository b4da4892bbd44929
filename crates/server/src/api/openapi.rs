//! The OpenAPI document, made from the rows of the endpoint table.

use super::carried;
use super::endpoint::{Access, Answer, Breadth, Endpoint, Keeping, Shape};
use super::problem::{Kind, Problem};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

const DESCRIPTION: &str = "The desk of Drover: what agents recommend for a federation of clusters, what people say to it, and what \
came of it. Times `…At` are milliseconds of the federation's own time since its beginning; times `…Wall` are milliseconds since \
1970. Every refusal is a problem document (RFC 9457).";

/// The whole document.
pub fn document(endpoints: &[Endpoint]) -> Value {
    let mut schemas = Schemas::new();
    let mut paths = Map::new();
    for endpoint in endpoints {
        let operation = operation(endpoint, &mut schemas);
        let path = paths.entry(endpoint.path).or_insert_with(|| json!({}));
        path[endpoint.method.as_str().to_lowercase()] = operation;
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Drover",
            "version": env!("CARGO_PKG_VERSION"),
            "description": DESCRIPTION,
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "security": [{ "token": [] }, { "session": [] }],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": { "type": "http", "scheme": "bearer", "description": "A token made by `drover token create`." },
                "session": {
                    "type": "apiKey", "in": "cookie", "name": "drover_session",
                    "description": "A browser's session; changes also need the header X-CSRF-Token.",
                },
            },
            "headers": carried::components(),
            "parameters": carried::shared_parameters(),
            "schemas": schemas.finish(),
        },
    })
}

/// Requests and answers have the same names and may differ in what they require, so they are described separately.
struct Schemas {
    requests: SchemaGenerator,
    answers: SchemaGenerator,
}

impl Schemas {
    fn new() -> Self {
        let settings = || {
            SchemaSettings::draft2020_12().with(|settings| {
                settings.definitions_path = "/components/schemas".into();
                settings.meta_schema = None;
            })
        };
        Self {
            requests: settings().for_deserialize().into_generator(),
            answers: settings().for_serialize().into_generator(),
        }
    }

    fn request(&mut self, shape: Shape) -> Value {
        shape(&mut self.requests).to_value()
    }

    fn answer(&mut self, shape: Shape) -> Value {
        shape(&mut self.answers).to_value()
    }

    fn finish(mut self) -> Value {
        let mut all = self.answers.take_definitions(true);
        for (name, schema) in self.requests.take_definitions(true) {
            let same = all.get(&name).is_none_or(|known| *known == schema);
            assert!(
                same,
                "{name} is asked for in another form than it is answered; give the request its own type"
            );
            all.insert(name, schema);
        }
        Value::Object(all)
    }
}

fn operation(endpoint: &Endpoint, schemas: &mut Schemas) -> Value {
    let mut operation = json!({
        "operationId": endpoint.operation,
        "summary": endpoint.summary,
        "tags": [tag(endpoint.path)],
        "parameters": parameters(endpoint, schemas),
        "responses": responses(endpoint, schemas),
    });
    match endpoint.access {
        Access::Open => operation["security"] = json!([]),
        Access::Needs(right) => {
            let roles: Vec<&str> = right.holders().into_iter().map(crate::access::Role::as_str).collect();
            operation["x-drover-roles"] = json!(roles);
            operation["x-drover-scope"] = json!(match endpoint.breadth {
                Breadth::Whole => "whole",
                Breadth::Narrowed => "narrowed",
            });
        }
    }
    if let Some(body) = endpoint.body {
        let schema = schemas.request(body);
        operation["requestBody"] =
            json!({ "required": true, "content": { "application/json": { "schema": schema } } });
    }
    operation
}

/// The noun that a path is about.
fn tag(path: &str) -> &str {
    path.trim_start_matches("/api/v1/").trim_start_matches('/').split('/').next().unwrap_or_default()
}

fn parameters(endpoint: &Endpoint, schemas: &mut Schemas) -> Vec<Value> {
    let mut all: Vec<Value> = path_parameters(endpoint.path);
    if let Some(query) = endpoint.query {
        all.extend(query_parameters(&schemas.request(query), &schemas.requests));
    }
    if endpoint.conditional {
        all.push(json!({
            "name": "If-Match", "in": "header", "required": true, "schema": { "type": "string" },
            "description": "The ETag of what was read; the request is refused if it has changed.",
        }));
    }
    if endpoint.resumable {
        all.push(json!({
            "name": "Last-Event-ID", "in": "header", "required": false,
            "schema": { "type": "string", "pattern": "^[0-9]+-[0-9]+$" },
            "description": "The id of the last event that was seen; what came after it is told first.",
        }));
    }
    all.extend(carried::parameters(endpoint));
    if let Some(keeping) = endpoint.repeatable {
        let then = match keeping {
            Keeping::All => "the first answer is given again for 24 hours.",
            Keeping::NoSecret => {
                "for 24 hours it is refused. The first answer holds a secret and is not kept."
            }
        };
        all.push(json!({
            "name": "Idempotency-Key", "in": "header", "required": false,
            "schema": { "type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[\\x21-\\x7e]+$" },
            "description": format!("Makes it safe to send the request again: {then}"),
        }));
    }
    all
}

fn path_parameters(path: &str) -> Vec<Value> {
    let names = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let parameter = |name: &str| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string", "minLength": 1 } });
    names.map(parameter).collect()
}

/// The fields of a query type, one parameter each.
fn query_parameters(schema: &Value, generator: &SchemaGenerator) -> Vec<Value> {
    let name = schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()).unwrap_or_default();
    let schema = generator.definitions().get(name).unwrap_or(schema);
    let required: BTreeSet<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let fields = schema["properties"].as_object().cloned().unwrap_or_default();
    let parameter = |(name, mut field): (String, Value)| {
        let description = field.as_object_mut().and_then(|field| field.remove("description"));
        json!({
            "name": name, "in": "query", "required": required.contains(name.as_str()),
            "schema": without_null(field), "description": description.unwrap_or_default(),
        })
    };
    fields.into_iter().map(parameter).collect()
}

/// A query has no null: what is not there is not there.
fn without_null(mut schema: Value) -> Value {
    if let Some(types) = schema["type"].as_array() {
        let rest: Vec<Value> = types.iter().filter(|name| *name != "null").cloned().collect();
        schema["type"] = if let [only] = rest.as_slice() { only.clone() } else { Value::Array(rest) };
    }
    schema
}

fn responses(endpoint: &Endpoint, schemas: &mut Schemas) -> Value {
    let mut all = Map::new();
    let (status, mut response) = match endpoint.answer {
        Answer::Json(status, shape) => {
            let schema = schemas.answer(shape);
            (
                status,
                json!({ "description": "Done.", "content": { "application/json": { "schema": schema } } }),
            )
        }
        Answer::Nothing(status) => (status, json!({ "description": "Done." })),
        Answer::Content(status, kind) => {
            let schema = json!({ "type": if kind == "application/json" { "object" } else { "string" } });
            (status, json!({ "description": "Done.", "content": { kind: { "schema": schema } } }))
        }
    };
    response["headers"] = carried::headers(endpoint, status, true);
    all.insert(status.to_string(), response);
    let problem = schemas.answer(SchemaGenerator::subschema_for::<Problem>);
    let statuses: BTreeSet<u16> = problems(endpoint).into_iter().map(|kind| kind.status().as_u16()).collect();
    for status in statuses {
        let titles = problems(endpoint).into_iter().filter(|kind| kind.status().as_u16() == status);
        let description: Vec<&str> = titles.map(Kind::title).collect();
        all.insert(
            status.to_string(),
            json!({
                "description": description.join("; "),
                "headers": carried::headers(endpoint, status, false),
                "content": { "application/problem+json": { "schema": problem } },
            }),
        );
    }
    Value::Object(all)
}

/// What an endpoint can refuse with, what all can refuse with included.
fn problems(endpoint: &Endpoint) -> BTreeSet<Kind> {
    let mut all: BTreeSet<Kind> = endpoint.problems.iter().copied().collect();
    all.extend([Kind::RateLimited, Kind::TooLarge, Kind::TooSlow, Kind::NotReady, Kind::Internal]);
    if endpoint.access != Access::Open {
        all.extend([Kind::Unauthenticated, Kind::Forbidden]);
    }
    if endpoint.path.contains('{') {
        all.insert(Kind::NotFound);
    }
    if endpoint.query.is_some() {
        all.insert(Kind::Malformed);
    }
    if endpoint.repeatable.is_some() {
        all.extend([Kind::KeyReused, Kind::Conflict, Kind::Malformed]);
    }
    all
}
