# syntax=docker/dockerfile:1
ARG PYTHON=python:3.13-slim-bookworm

FROM ${PYTHON} AS build
WORKDIR /srv
RUN python -m venv /opt/venv
ENV PATH=/opt/venv/bin:$PATH PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
COPY requirements.lock ./
RUN pip install --quiet -r requirements.lock

FROM ${PYTHON}
RUN useradd --system --uid 10001 --create-home --home-dir /srv semiramis
WORKDIR /srv
COPY --from=build /opt/venv /opt/venv
COPY --chown=semiramis:semiramis app ./app
COPY --chown=semiramis:semiramis migrations ./migrations
COPY --chown=semiramis:semiramis templates ./templates
COPY --chown=semiramis:semiramis static ./static
COPY --chown=semiramis:semiramis pyproject.toml README.md LICENSE ./
ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 SEMIRAMIS_VAR=/srv/var
RUN mkdir var && chown semiramis:semiramis var
USER semiramis
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health/live', timeout=2)"]
STOPSIGNAL SIGTERM
CMD ["python", "-m", "app", "serve", "--host", "0.0.0.0", "--port", "8000", "--no-bots"]
